-- Applies a batch of operations, each as a whole, in their order, at one instant.
-- The rules are those of docs/semantics.md; times are microseconds, all numbers integers below 2^53.
--
-- KEYS     1..S the states of counters and penalties, then the entries of logs
-- ARGV[1]  a MessagePack array:
--   1 now        -1: the time of this server; else the time to use, which only tests give
--   2 deadline   the last instant of this server's clock at which anybody waits for the answer; 0: none
--   3 S          how many states there are
--   4 logs       pairs: the index of a state, the index of its entries
--   5 limits     {algorithm, capacity, window, ...} each; the rest is the meter, see below, and of a
--                token_bucket the time it takes to fill: microseconds, ticks beyond, and its meter as text
--   6 penalties  {detection window, threshold, multiplier, ...} each
--   7 calendars  {name, start of a window, of the next, ...} each
--   8 ops        n, code, cost, c, p, and n times: c times (state, limit), p times (state, penalty); one after the other
--   9 channel    where the keys of counters are told that have more room than they had, other than by time;
--                '': nowhere. Without operations, the right to tell is tried
-- Reply    a MessagePack array: now, how many of the first operations passed, and for each of these what remains of each
--   counter and when it is reset, or -1 if it is too late for all; then for each other operation
--   its reason, and of each counter what remains and when it is reset; in between, unless it is WITHIN_LIMITS, the
--   retry-after and the decisive limit, or if a penalty runs what is left of that;
--   or a reason from MISS_WINDOWS on, and what the caller has to bring to ask again: nothing was done then
--
-- PART and PEEK_PART are ACQUIRE and PEEK of those counters of a request that live here, while others live elsewhere.
-- They leave it to the caller to put the parts together: they do not record violations, and their retry-after is that
-- of the limits alone. PART charges only what REFUND undoes without a trace; where a counter would change its meter, or
-- the counts of a sliding window would move on, it asks for CONSENT, which PART_SURE has. VIOLATE records a violation, its cost being the length of the window that
-- penalties are multiples of; its retry-after is the penalty that this starts.
--
-- A token_bucket's state is a text: its meter, the instant at which it is full again in 16 digits, and if there are
-- ticks beyond that a '+' and these. The meter is 'whole,rest,ticks,burst;', where a permit takes whole + rest / ticks
-- microseconds. A bucket of common size, which is filled in a second, minute, hour or day and whose permits take whole
-- microseconds, has a number for its meter, so that the state is a number, which Redis keeps in less than half the room.
-- Other states are MessagePack sequences that start with their algorithm and meter:
--   fixed_window    2, kind, length or calendar, start, end, count
--   sliding_window  3, length, start, previous, current
--   sliding_log     4, length, first, next, gone, total, newest instant
--                   entries first to next - 1 live in a string of their own, 16 bytes each:
--                   the instant and the sum of all amounts up to it; gone is the sum before the first
-- and a penalty is a MessagePack array: until, length, then the instants of violations.

-- The permits that a debt stands for, rounded up.
local function permits_of(limit, micros, ticks)
  local share = (micros + ticks / limit[6]) / (limit[4] + limit[5] / limit[6])
  local n = math.floor(share + 0.5)
  if share < 100000000 and (share - n > 0.000001 or n - share > 0.000001) then
    return math.ceil(share)
  end
  -- Rounding may have crossed a whole number here, or lies on it.
  n = math.max(0, n - 1)
  while true do
    local rest = n * limit[5]
    local more = math.floor(rest / limit[6])
    local whole = n * limit[4] + more
    if whole > micros or (whole == micros and rest - more * limit[6] >= ticks) then
      return n
    end
    n = n + 1
  end
end

-- The instant that 16 digits tell. Redis takes much longer to read a number.
local function instant_of(text, first)
  local a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p = text:byte(first, first + 15)
  return (a - 48) * 1e15 + (b - 48) * 1e14 + (c - 48) * 1e13 + d * 1e12 + e * 1e11 + f * 1e10 + g * 1e9 + h * 1e8
      + i * 1e7 + j * 1e6 + k * 1e5 + l * 1e4 + m * 1e3 + n * 100 + o * 10 + p - 53333333333328
end

-- The state of a token bucket, as it is written down.
local function bucket_text(meter, full, ticks)
  local text = meter .. string.format('%016.0f', full)
  return ticks > 0 and text .. '+' .. string.format('%.0f', ticks) or text
end

-- How many milliseconds a key lives that counts until then. So that not every write has to change it, keys of one half
-- minute end together: half a minute to a minute later.
local QUANTUM = 30000000
local function lifetime(instant, now)
  return math.ceil(((math.floor(instant / QUANTUM) + 2) * QUANTUM - now) / 1000)
end

-- The long way -----------------------------------------------------------------------------------
-- All operations on all states. It is made only when it is needed, which takes a while.
--
-- buckets are those that the short way has charged, beyond and raw what is known of them there; windows are the states
-- of the fixed windows that it has charged.
local function long_way(request, now, raw, states, buckets, beyond, windows, out)
  local floor, ceil, min, max = math.floor, math.ceil, math.min, math.max
  local call, pack, unpack_state = redis.call, cmsgpack.pack, cmsgpack.unpack
  local limits, penalty_rules = request[5], request[6]

  local EXACT = 9007199254740992
  local MAX_VIOLATIONS = 1000
  local ENTRY = 16

  local BUCKET, WINDOW, SLIDING, LOG = 1, 2, 3, 4
  local FROM_EPOCH, FROM_REQUEST, CALENDAR = 0, 1, 2
  local ACQUIRE, PEEK, REFUND, RESET, VIOLATE, PART, PEEK_PART, PART_SURE = 1, 2, 3, 4, 5, 6, 7, 8
  local WITHIN_LIMITS, LIMIT_EXCEEDED, COST_EXCEEDS_LIMIT, PENALTY = 0, 1, 2, 3
  local MISS_WINDOWS, MISS_LOG, CONSENT = 10, 11, 12

  local way, dirty = {}, {}

  local entries_of = {}
  for i = 1, #request[4], 2 do
    entries_of[request[4][i]] = KEYS[request[4][i + 1]]
  end

  local calendars = {}
  for i = 1, #request[7] do
    calendars[request[7][i][1]] = request[7][i]
  end

  -- Exact arithmetic beyond 2^53 -------------------------------------------------------------------

  -- a * b as high * 2^48 + low; a below 2^40 and b below 2^46.
  local function product(a, b)
    local a1, b1 = floor(a / 16777216), floor(b / 16777216)
    local a0, b0 = a - a1 * 16777216, b - b1 * 16777216
    local middle = a0 * b1 + a1 * b0
    local middle1 = floor(middle / 16777216)
    local low = a0 * b0 + (middle - middle1 * 16777216) * 16777216
    local carry = floor(low / 281474976710656)
    return a1 * b1 + middle1 + carry, low - carry * 281474976710656
  end

  -- Whether a * b <= c * d; a and c below 2^40, b and d below 2^46.
  local function at_most(a, b, c, d)
    local left, right = a * b, c * d
    if left < EXACT and right < EXACT then
      return left <= right
    end
    local high, low = product(a, b)
    local other_high, other_low = product(c, d)
    if high ~= other_high then
      return high < other_high
    end
    return low <= other_low
  end

  -- The largest q with q * b <= c * d; all as in at_most.
  local function divided(c, d, b)
    local q = floor(c * d / b)
    while q > 0 and not at_most(q, b, c, d) do
      q = q - 1
    end
    while at_most(q + 1, b, c, d) do
      q = q + 1
    end
    return q
  end

  -- token_bucket -----------------------------------------------------------------------------------

  local PERIODS = {1000000, 60000000, 3600000000, 86400000000}

  -- The state that a text tells.
  local function bucket_of(text)
    local plus = text:find('+', 1, true)
    local ends = plus and plus - 1 or #text
    local meter = text:sub(1, ends - 16)
    local full, ticks = instant_of(text, ends - 15), plus and tonumber(text:sub(plus + 1)) or 0
    if #meter > 3 then
      local whole, rest, parts, burst = meter:match('^(%d+),(%d+),(%d+),(%d+);$')
      return {BUCKET, tonumber(whole), tonumber(rest), tonumber(parts), tonumber(burst), full, ticks, meter = meter}
    end
    local number = tonumber(meter) - 1
    local fives, threes, twos = number % 8, floor(number / 8) % 3, floor(number / 24) % 9
    local burst = 2 ^ twos * 3 ^ threes * 5 ^ fives
    return {BUCKET, PERIODS[floor(number / 216) + 1] / burst, 0, 1, burst, full, ticks, meter = meter}
  end

  -- The time that n permits take, n being at most the burst.
  local function span(s, n)
    local rest = n * s[3]
    local micros = floor(rest / s[4])
    return n * s[2] + micros, rest - micros * s[4]
  end

  local function debt(s)
    if s[6] < now then
      return 0, 0
    end
    return s[6] - now, s[7]
  end

  local bucket = {}

  function bucket.settle(s)
    local over = s[6] - now
    if over <= 0 then
      return
    end
    local micros, ticks = span(s, s[5])
    if over > micros or (over == micros and s[7] > ticks) then
      s[6], s[7] = now + micros, ticks
      return true
    end
  end

  function bucket.used_at_most(s, x)
    if x >= s[5] then
      return true
    end
    local micros, ticks = debt(s)
    local free, beyond = span(s, x)
    return micros < free or (micros == free and ticks <= beyond)
  end

  function bucket.used(s)
    local micros, ticks = debt(s)
    if micros == 0 and ticks == 0 then
      return 0
    end
    local share = (micros + ticks / s[4]) / (s[2] + s[3] / s[4])
    local n = ceil(share)
    -- Far enough from a whole number, and small enough, rounding cannot have crossed one.
    if share < 100000000 and n - share > 0.000001 and n - share < 0.999999 then
      return min(s[5], n)
    end
    n = min(s[5], n)
    while n < s[5] and not bucket.used_at_most(s, n) do
      n = n + 1
    end
    while n > 1 and bucket.used_at_most(s, n - 1) do
      n = n - 1
    end
    return n
  end

  function bucket.free_at(s, x)
    if x == 0 then
      return (s[6] < now or (s[6] == now and s[7] == 0)) and now or s[6] + (s[7] > 0 and 1 or 0)
    end
    if bucket.used_at_most(s, x) then
      return now
    end
    local micros, ticks = debt(s)
    local free, beyond = span(s, x)
    return now + micros - free + (ticks > beyond and 1 or 0)
  end

  function bucket.charge(s, n)
    local micros, ticks = debt(s)
    local more, beyond = span(s, n)
    micros, ticks = now + micros + more, ticks + beyond
    if ticks >= s[4] then
      micros, ticks = micros + 1, ticks - s[4]
    end
    s[6], s[7] = micros, ticks
  end

  -- Returns whether anything is left.
  function bucket.refund(s, n)
    if bucket.used_at_most(s, n) then
      return false
    end
    local micros, ticks = debt(s)
    local less, beyond = span(s, n)
    micros, ticks = now + micros - less, ticks - beyond
    if ticks < 0 then
      micros, ticks = micros - 1, ticks + s[4]
    end
    s[6], s[7] = micros, ticks
    return true
  end

  function bucket.fresh(limit)
    return {BUCKET, limit[4], limit[5], limit[6], limit[2], 0, 0, meter = limit[9]}
  end

  function bucket.continues(s, limit)
    return s[2] == limit[4] and s[3] == limit[5] and s[4] == limit[6]
  end

  -- fixed_window -----------------------------------------------------------------------------------

  -- The window of now, or nothing if no calendar that was given reaches to it.
  local function window_of(kind, length)
    if kind == FROM_EPOCH then
      local start = now - now % length
      return start, start + length
    elseif kind == FROM_REQUEST then
      return now, now + length
    end
    local starts = calendars[length] or {}
    for i = 2, #starts - 1 do
      if starts[i] <= now and now < starts[i + 1] then
        return starts[i], starts[i + 1]
      end
    end
  end

  local window = {}

  function window.settle(s)
    if s[4] > now then
      s[4], s[5] = window_of(s[2], s[3])
      return true
    end
  end

  function window.used(s)
    return now < s[5] and s[6] or 0
  end

  function window.used_at_most(s, x)
    return window.used(s) <= x
  end

  function window.free_at(s, x)
    return window.used(s) <= x and now or s[5]
  end

  function window.charge(s, n)
    if window.used(s) == 0 then
      s[4], s[5] = window_of(s[2], s[3])
      s[6] = n
    else
      s[6] = s[6] + n
    end
  end

  function window.refund(s, n)
    s[6] = window.used(s) - n
    return s[6] > 0
  end

  function window.fresh(limit)
    return {WINDOW, limit[4], limit[5], 0, 0, 0}
  end

  function window.continues(s, limit)
    return s[2] == limit[4] and s[3] == limit[5]
  end

  function window.ends(s)
    return s[5]
  end

  -- sliding_window ---------------------------------------------------------------------------------

  local sliding = {}

  -- Also moves the counts on to the window of now, which changes nothing.
  function sliding.settle(s)
    local start = now - now % s[2]
    local back = (start - s[3]) / s[2]
    if back == 0 then
      return
    end
    s[3], s.moved = start, true
    if back == 1 then
      s[4], s[5] = s[5], 0
    elseif back > 1 then
      s[4], s[5] = 0, 0
    end
    return back < 0
  end

  function sliding.used_at_most(s, x)
    local room = x - s[5]
    return room >= 0 and at_most(s[4], s[2] - now % s[2], room, s[2])
  end

  function sliding.used(s)
    local covered = s[2] - now % s[2]
    local whole = divided(s[4], covered, s[2])
    return s[5] + (at_most(s[4], covered, whole, s[2]) and whole or whole + 1)
  end

  function sliding.free_at(s, x)
    if sliding.used_at_most(s, x) then
      return now
    end
    local room = x - s[5]
    if room >= 0 then
      return s[3] + s[2] - divided(room, s[2], s[4])
    end
    return s[3] + 2 * s[2] - divided(x, s[2], s[5])
  end

  function sliding.charge(s, n)
    s[5] = s[5] + n
  end

  function sliding.refund(s, n)
    local current = s[5] - n
    s[4], s[5] = max(0, s[4] + min(0, current)), max(0, current)
    return s[4] > 0 or s[5] > 0
  end

  function sliding.fresh(limit)
    return {SLIDING, limit[4], now - now % limit[4], 0, 0}
  end

  function sliding.continues(s, limit)
    return s[2] == limit[4]
  end

  function sliding.ends(s)
    return s[3] + 2 * s[2]
  end

  -- sliding_log ------------------------------------------------------------------------------------

  local log = {}

  -- The instant of an entry, not from the future, and the sum up to it.
  local function entry(s, i)
    local text = call('GETRANGE', s.entries, i * ENTRY, i * ENTRY + ENTRY - 1)
    local instant, sum = struct.unpack('>dd', text)
    return min(instant, now), sum
  end

  local function put(s, i, instant, sum)
    call('SETRANGE', s.entries, i * ENTRY, struct.pack('>dd', instant, sum))
  end

  -- The first entry from low to high - 1 for which the test holds, or high; it holds for all behind it.
  local function first_where(s, low, high, test)
    while low < high do
      local middle = floor((low + high) / 2)
      if test(entry(s, middle)) then
        high = middle
      else
        low = middle + 1
      end
    end
    return low
  end

  -- Also leaves out what no longer counts, which changes nothing.
  function log.settle(s)
    if s[3] == s[4] then
      return
    end
    if min(s[7], now) + s[2] <= now then
      s[3], s[4], s[5], s[6], s[7] = 0, 0, 0, 0, 0
      return
    end
    local instant, sum = entry(s, s[3])
    if instant + s[2] <= now then
      local first = first_where(s, s[3] + 1, s[4], function(at)
        return at + s[2] > now
      end)
      instant, s[5] = entry(s, first - 1)
      s[3] = first
    end
    return s[7] > now
  end

  -- Writes down that instants from the future are now.
  function log.write_settled(s)
    local i = s[4] - 1
    while i >= s[3] do
      local text = call('GETRANGE', s.entries, i * ENTRY, i * ENTRY + ENTRY - 1)
      local instant, sum = struct.unpack('>dd', text)
      if instant <= now then
        break
      end
      put(s, i, now, sum)
      i = i - 1
    end
    s[7] = now
  end

  function log.used(s)
    return s[6] - s[5]
  end

  function log.used_at_most(s, x)
    return s[6] - s[5] <= x
  end

  function log.free_at(s, x)
    if log.used_at_most(s, x) then
      return now
    end
    if x == 0 then
      return min(s[7], now) + s[2]
    end
    local gone = s[6] - x
    local last = first_where(s, s[3], s[4], function(instant, sum)
      return sum >= gone
    end)
    return entry(s, last) + s[2]
  end

  function log.charge(s, n)
    s[6] = s[6] + n
    if s[3] < s[4] and s[7] == now then
      put(s, s[4] - 1, now, s[6])
      return
    end
    if s[3] > 64 and s[3] > s[4] - s[3] then
      call('SET', s.entries, call('GETRANGE', s.entries, s[3] * ENTRY, s[4] * ENTRY - 1))
      s[3], s[4] = 0, s[4] - s[3]
    end
    put(s, s[4], now, s[6])
    s[4], s[7] = s[4] + 1, now
  end

  function log.refund(s, n)
    if s[6] - s[5] <= n then
      return false
    end
    s[6] = s[6] - n
    local last = first_where(s, s[3], s[4], function(instant, sum)
      return sum >= s[6]
    end)
    s[7] = entry(s, last)
    s[4] = last + 1
    put(s, last, s[7], s[6])
    return true
  end

  function log.fresh(limit)
    return {LOG, limit[4], 0, 0, 0, 0, 0}
  end

  function log.continues(s, limit)
    return s[2] == limit[4]
  end

  function log.ends(s)
    return s[7] + s[2]
  end

  local meters = {bucket, window, sliding, log}

  -- States -----------------------------------------------------------------------------------------

  -- The settled state of a key; nothing if there is none. Second: what the caller has to bring.
  local function load(key)
    local s = states[key]
    if s == nil then
      local value = raw[key]
      if buckets[key] then
        s = bucket_of(bucket_text(buckets[key][9], value, beyond[key] or 0))
        dirty[key] = true
      elseif windows[key] then
        s = windows[key]
        dirty[key] = true
      elseif not value then
        s = false
      elseif value:byte() < 48 then
        s = {unpack_state(value)}
      else
        s = bucket_of(value)
      end
      states[key] = s
    end
    if not s then
      return nil
    end
    if s[1] == LOG then
      s.entries = entries_of[key]
      if not s.entries then
        return nil, MISS_LOG
      end
    elseif s[1] == WINDOW and s[4] > now and not window_of(s[2], s[3]) then
      return nil, MISS_WINDOWS, s[3]
    end
    if meters[s[1]].settle(s) then
      s.settled = true
    end
    return s
  end

  local function forget(key)
    local s = states[key]
    if s and s[1] == LOG then
      call('DEL', s.entries)
    end
    if s or raw[key] then
      states[key] = false
      dirty[key] = true
    end
  end

  -- Tells everybody who remembers a refusal that this counter may have room. It must not fail: states are half written.
  local function tell(key)
    if request[9] ~= '' then
      redis.pcall('PUBLISH', request[9], KEYS[key])
    end
  end

  -- Writes down what settling has changed.
  local function keep_settled(key)
    local s = states[key]
    if s and s.settled then
      if s[1] == LOG then
        log.write_settled(s)
      end
      s.settled = nil
      dirty[key] = true
    end
  end

  local function charge(key, limit, n)
    local s = states[key]
    local meter = meters[limit[1]]
    if not s or s[1] ~= limit[1] or not meter.continues(s, limit) then
      local used = s and meters[s[1]].used(s) or 0
      if s and s[1] == LOG then
        call('DEL', s.entries)
      end
      if s then
        tell(key)
      end
      s = meter.fresh(limit)
      s.entries = entries_of[key]
      states[key] = s
      if used > 0 then
        meter.charge(s, used)
      end
    elseif s[1] == BUCKET then
      s[5], s.meter = limit[2], limit[9]
    end
    meter.charge(s, n)
    s.moved = nil
    dirty[key] = true
  end

  -- Whether a charge by this limit leaves the meter of the state as it is.
  local function keeps_meter(s, limit)
    return s[1] == limit[1] and meters[s[1]].continues(s, limit) and (s[1] ~= BUCKET or s[5] == limit[2])
  end

  -- Penalties --------------------------------------------------------------------------------------

  local function load_penalty(key)
    local p = states[key]
    if p == nil then
      p = raw[key] and unpack_state(raw[key]) or false
      states[key] = p
    end
    if not p then
      return nil
    end
    for i = #p, 3, -1 do
      if p[i] <= now then
        break
      end
      p[i] = now
      p.settled = true
    end
    if p[1] > now + p[2] then
      p[1] = now + p[2]
      p.settled = true
    end
    return p
  end

  local function penalty_left(p)
    return p and max(0, p[1] - now) or 0
  end

  local function violate(key, rule, length)
    local old = states[key] or {0, 0}
    local p = {old[1], old[2], penalty = true, detection = rule[1]}
    for i = max(3, #old - MAX_VIOLATIONS + 2), #old do
      if old[i] > now - rule[1] then
        p[#p + 1] = old[i]
      end
    end
    p[#p + 1] = now
    local violations = #p - 2
    if violations >= rule[2] then
      p[2] = length * rule[min(violations - rule[2] + 3, #rule)]
      p[1] = now + p[2]
    end
    states[key] = p
    dirty[key] = true
  end

  -- Operations -------------------------------------------------------------------------------------

  local function add(value)
    out[#out + 1] = value
  end

  -- How long the window is that a limit counts in, which is what penalties are multiples of.
  local function length_of(limit)
    if limit[1] == WINDOW then
      local start, fin = window_of(limit[4], limit[5])
      return fin - start
    end
    return limit[3]
  end

  function way.apply(code, cost, counters, pens)
    local is_part = code >= PART
    local takes = code == ACQUIRE or code == PART or code == PART_SURE
    local asks = takes or code == PEEK or code == PEEK_PART
    -- Everything is looked at before anything is written, so that an operation that misses something has done nothing.
    for i = 1, #counters, 2 do
      local key, limit = counters[i], limits[counters[i + 1]]
      if limit[1] == WINDOW and not window_of(limit[4], limit[5]) then
        add(MISS_WINDOWS)
        add(limit[5])
        return
      end
      local _, miss, what = load(key)
      if miss then
        add(miss)
        add(what or KEYS[key])
        return
      end
    end
    local penalty = 0
    for i = 1, #pens, 2 do
      penalty = max(penalty, penalty_left(load_penalty(pens[i])))
    end

    if code == REFUND then
      for i = 1, #counters, 2 do
        local s = states[counters[i]]
        if s then
          keep_settled(counters[i])
          if meters[s[1]].used_at_most(s, 0) or not meters[s[1]].refund(s, cost) then
            forget(counters[i])
          else
            dirty[counters[i]] = true
          end
          tell(counters[i])
        end
      end
    elseif code == RESET then
      for i = 1, #counters, 2 do
        forget(counters[i])
        tell(counters[i])
      end
      for i = 1, #pens, 2 do
        if states[pens[i]] then
          states[pens[i]] = false
          dirty[pens[i]] = true
        end
        tell(pens[i])
      end
    end

    local reason, wait, decisive = WITHIN_LIMITS, 0, 0
    if asks then
      for i = 1, #counters, 2 do
        if cost > limits[counters[i + 1]][2] then
          reason, decisive = COST_EXCEEDS_LIMIT, (i - 1) / 2
          break
        end
      end
      for i = 1, reason == WITHIN_LIMITS and #counters or 0, 2 do
        local s, limit = states[counters[i]], limits[counters[i + 1]]
        local free = limit[2] - cost
        if s and not meters[s[1]].used_at_most(s, free) then
          local until_free = meters[s[1]].free_at(s, free) - now
          if until_free > wait then
            wait, decisive = until_free, (i - 1) / 2
          end
        end
      end
      if wait > 0 then
        reason = LIMIT_EXCEEDED
      end
    end

    if takes or code == VIOLATE then
      for i = 1, #counters, 2 do
        keep_settled(counters[i])
      end
      for i = 1, #pens, 2 do
        local p = states[pens[i]]
        if p and p.settled then
          p.settled = nil
          p.detection = penalty_rules[pens[i + 1]][1]
          dirty[pens[i]] = true
        end
      end
    end
    if takes and penalty == 0 and reason == WITHIN_LIMITS then
      if code == PART then
        for i = 1, #counters, 2 do
          local s = states[counters[i]]
          if s and (s.moved or not keeps_meter(s, limits[counters[i + 1]])) then
            add(CONSENT)
            add(KEYS[counters[i]])
            return
          end
        end
      end
      for i = 1, #counters, 2 do
        charge(counters[i], limits[counters[i + 1]], cost)
      end
    elseif penalty == 0 and (code == ACQUIRE or code == VIOLATE) then
      local length = cost
      if code == ACQUIRE then
        length = #pens > 0 and length_of(limits[counters[2 * decisive + 2]]) or 0
      end
      local longest = 0
      for i = 1, #pens, 2 do
        violate(pens[i], penalty_rules[pens[i + 1]], length)
        longest = max(longest, penalty_left(states[pens[i]]))
      end
      if reason ~= COST_EXCEEDS_LIMIT then
        wait = max(wait, longest)
      end
    end
    if penalty > 0 and asks then
      reason, wait = PENALTY, is_part and wait or max(penalty, wait)
    end

    add(reason)
    if reason ~= WITHIN_LIMITS then
      add(wait)
      add(reason == PENALTY and penalty or decisive)
    elseif code == VIOLATE then
      add(wait)
    end
    for i = 1, #counters, 2 do
      local s, limit = states[counters[i]], limits[counters[i + 1]]
      local remaining, reset = limit[2], now
      if s then
        remaining = max(0, limit[2] - meters[s[1]].used(s))
        reset = meters[s[1]].free_at(s, 0)
      end
      add(remaining)
      add(reset)
    end
  end

  -- Writing: every value together with the time at which it may be forgotten ------------------------

  function way.write()
    for key in pairs(dirty) do
      local s = states[key]
      if not s then
        call('DEL', KEYS[key])
      elseif s.meter then
        call('SET', KEYS[key], bucket_text(s.meter, s[6], s[7]), 'PX', lifetime(max(s[6] + 1, now), now))
      elseif s.detection then
        local fin = max(s[1], #s > 2 and s[#s] + s.detection or 0)
        local list = {}
        for i = 1, #s do
          list[i] = s[i]
        end
        call('SET', KEYS[key], pack(list), 'PX', lifetime(max(fin, now), now))
      else
        local millis = lifetime(max(meters[s[1]].ends(s), now), now)
        call('SET', KEYS[key], pack(unpack(s)), 'PX', millis)
        if s[1] == LOG then
          call('PEXPIRE', s.entries, millis)
        end
      end
    end
  end

  return way
end

-- The short way ----------------------------------------------------------------------------------
-- Requests that pass under token buckets and fixed windows which have not changed, as nearly all do: the same in one piece.

local floor, ceil, call, pack = math.floor, math.ceil, redis.call, cmsgpack.pack

local request = cmsgpack.unpack(ARGV[1])
local limits, ops = request[5], request[8]
local now = request[1]
if now < 0 then
  local time = call('TIME')
  now = time[1] * 1000000 + time[2]
end
if request[2] > 0 and now > request[2] then
  return pack({now, -1})
end

local raw = {}
if request[3] == 1 then
  raw[1] = call('GET', KEYS[1])
elseif request[3] > 1 then
  raw = call('MGET', unpack(KEYS, 1, request[3]))
end

-- What the long way has looked at; the short way leaves that alone.
local states, long = {}, nil
-- Of the buckets that were charged: the limit, the instant at which they are full, which replaces what was read in
-- raw, the ticks beyond that if there are any, and what the instant was before.
local buckets, beyond, was_full_at = {}, {}, {}
local next_full, next_beyond, found = {}, {}, {}
-- Of the fixed windows that were charged: the state, and in it the limit, and whether the key ends as it did.
local windows = {}
local WINDOW, FROM_EPOCH, CALENDAR = 2, 0, 2

-- The state of a fixed window as it is to be charged; nothing if that is not for the short way.
local function window_in(value, known, limit)
  if known then
    return known.limit == limit and known or nil
  end
  local kind, length = limit[4], limit[5]
  if kind == CALENDAR then
    return nil
  end
  if value then
    if value:byte() ~= WINDOW then
      return nil
    end
    local s = {cmsgpack.unpack(value)}
    if s[2] ~= kind or s[3] ~= length or s[4] > now then
      return nil
    end
    if now < s[5] and s[6] > 0 then
      s.limit, s.ends_as_before = limit, true
      return s
    end
  end
  local start = kind == FROM_EPOCH and now - now % length or now
  return {WINDOW, kind, length, start, start + length, 0, limit = limit}
end

local at, count, passed = 1, #ops, 0
-- Has room for the answers to operations that pass, for they are as many numbers as these.
local out, size = count < 4000 and {unpack(ops)} or {}, 2
if count == 0 and request[9] ~= '' then
  call('PUBLISH', request[9], '')
end

-- The operations of one kind that are left, and what they are: twice the numbers of their counters and penalties.
local left, code, cost, width, tail = 0, 0, 0, 0, 0
while left > 0 or at <= count do
  if left == 0 then
    left, code, cost, width, tail = ops[at], ops[at + 1], ops[at + 2], 2 * ops[at + 3], 2 * ops[at + 4]
    at = at + 5
  end
  local last, n = at + width - 1, 0
  local passes = code == 1
  for i = last + 1, last + tail, 2 do
    passes = passes and not raw[ops[i]] and states[ops[i]] == nil
  end
  for i = at, passes and last or 0, 2 do
    local key, limit = ops[i], limits[ops[i + 1]]
    local meter, full, ticks, known = limit[9], raw[key], 0, buckets[key]
    if cost > limit[2] or (long and states[key] ~= nil) then
      passes = false
      break
    end
    n = n + 1
    if limit[1] == WINDOW then
      local s = not known and window_in(full, windows[key], limit)
      if not s or s[6] + cost > limit[2] then
        passes = false
        break
      end
      found[n] = s
    elseif meter and not windows[key] then
      if known then
        if known ~= limit then
          passes = false
          break
        end
        ticks = beyond[key] or 0
      elseif full then
        local length = #meter
        local is_plain = #full == length + 16
        if full:sub(1, length) ~= meter or not (is_plain or limit[6] > 1) then
          passes = false
          break
        end
        ticks = is_plain and 0 or tonumber(full:sub(length + 18))
        full = instant_of(full, length + 1)
      end
      local micros, more = cost * limit[4], 0
      if limit[5] > 0 then
        local rest = cost * limit[5]
        local whole = floor(rest / limit[6])
        micros, more = micros + whole, rest - whole * limit[6]
      end
      if full and full >= now then
        micros, more = micros + full - now, more + ticks
        if more >= limit[6] then
          micros, more = micros + 1, more - limit[6]
        end
      end
      if micros > limit[7] or (micros == limit[7] and more > limit[8]) then
        passes = false
        break
      end
      next_full[n], next_beyond[n], found[n] = micros, more, full
    else
      passes = false
      break
    end
  end

  if passes then
    if long then
      size = size + 1
      out[size] = 0
    else
      passed = passed + 1
    end
    n = 0
    for i = at, last, 2 do
      n = n + 1
      local key, limit, micros = ops[i], limits[ops[i + 1]], next_full[n]
      if limit[1] == WINDOW then
        local s = found[n]
        s[6] = s[6] + cost
        windows[key] = s
        out[size + 1], out[size + 2] = limit[2] - s[6], s[5]
      else
        if not buckets[key] then
          buckets[key], was_full_at[key] = limit, found[n]
        end
        raw[key] = now + micros
        if limit[6] == 1 then
          out[size + 1], out[size + 2] = limit[2] - ceil(micros / limit[4]), now + micros
        else
          local ticks = next_beyond[n]
          beyond[key] = ticks
          out[size + 1] = limit[2] - permits_of(limit, micros, ticks)
          out[size + 2] = now + micros + (ticks > 0 and 1 or 0)
        end
      end
      size = size + 2
    end
  else
    for i = size + 1, #out do
      out[i] = nil
    end
    if not long then
      out[1], out[2] = now, passed
      long = long_way(request, now, raw, states, buckets, beyond, windows, out)
    end
    local counters, penalties = {}, {}
    for i = 1, width do
      counters[i] = ops[at + i - 1]
    end
    for i = 1, tail do
      penalties[i] = ops[last + i]
    end
    long.apply(code, cost, counters, penalties)
    size = #out
  end
  at, left = last + tail + 1, left - 1
end

-- Of buckets that are busy, most are charged the same, and most were and are full within this half minute.
local texts, keys = {}, KEYS
local first = now - now % QUANTUM
local last = first + QUANTUM
for key, limit in pairs(buckets) do
  if not long or states[key] == nil then
    local full, was = raw[key], was_full_at[key]
    if not was or ((was < first or full >= last) and floor(was / QUANTUM) ~= floor(full / QUANTUM)) then
      call('SET', keys[key], bucket_text(limit[9], full, beyond[key] or 0), 'PX', lifetime(full, now))
    elseif #limit[9] <= 3 then
      local change = full - was
      local text = texts[change]
      if not text then
        text = string.format('%.0f', change)
        texts[change] = text
      end
      call('INCRBY', keys[key], text)
    else
      call('SET', keys[key], bucket_text(limit[9], full, beyond[key] or 0), 'KEEPTTL')
    end
  end
end
for key, s in pairs(windows) do
  if not long or states[key] == nil then
    local text = pack(s[1], s[2], s[3], s[4], s[5], s[6])
    if s.ends_as_before then
      call('SET', keys[key], text, 'KEEPTTL')
    else
      call('SET', keys[key], text, 'PX', lifetime(s[5], now))
    end
  end
end
if long then
  long.write()
end

out[1], out[2] = now, passed
for i = size + 1, #out do
  out[i] = nil
end
return pack(out)
