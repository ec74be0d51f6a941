-- A token bucket by the steps of Spring Cloud Gateway's script, in words of our own.
-- KEYS[1]: tokens; KEYS[2]: the second of the last request
-- ARGV: permits per second, capacity, the present second, permits asked for
-- Reply: 1 if allowed and 0 if not, tokens left
local rate, capacity = tonumber(ARGV[1]), tonumber(ARGV[2])
local now, cost = tonumber(ARGV[3]), tonumber(ARGV[4])
local lifetime = math.floor(2 * capacity / rate)
local tokens = tonumber(redis.call('GET', KEYS[1])) or capacity
local last = tonumber(redis.call('GET', KEYS[2])) or 0
tokens = math.min(capacity, tokens + math.max(0, now - last) * rate)
local allowed = 0
if tokens >= cost then
  allowed = 1
  tokens = tokens - cost
end
if lifetime > 0 then
  redis.call('SETEX', KEYS[1], lifetime, tokens)
  redis.call('SETEX', KEYS[2], lifetime, now)
end
return {allowed, tokens}
