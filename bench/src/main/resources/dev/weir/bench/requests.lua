-- For wrk: sends requests drawn at random from a file, in which each ends with a zero byte.
--
-- Argument: the file.
-- The last line that is printed: how many were answered, in how many microseconds, and how many
-- failed or were answered with an error.

local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set("seed", threads)
end

function init(args)
  math.randomseed(seed)
  requests = {}
  local file = assert(io.open(args[1], "rb"))
  for each in file:read("*a"):gmatch("([^%z]+)%z") do
    requests[#requests + 1] = each
  end
  file:close()
  count = #requests
end

function request()
  return requests[math.random(count)]
end

function done(summary)
  local errors = summary.errors
  local bad = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format("%d %d %d", summary.requests, summary.duration, bad))
end
