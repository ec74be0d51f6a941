-- One token bucket, as one would write it by hand: the reference of the suite.
-- KEYS[1]: the bucket, a string: the microsecond at which it is full again
-- ARGV: microseconds for one permit, capacity, permits asked for
-- Reply: permits left, or -1 if refused
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local full = tonumber(redis.call('GET', KEYS[1])) or now
if full < now then
  full = now
end
full = full + ARGV[1] * ARGV[3]
local left = ARGV[2] - (full - now) / ARGV[1]
if left < 0 then
  return -1
end
redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
return math.floor(left)
