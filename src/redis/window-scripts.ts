/**
 * One bucket in Redis, on the server's clock, in whole ms:
 * - log: a sorted set of the taken slots, scored by the time at which each comes back,
 * - state: `epoch`, the time at which the keys came to be, and `closedUntil`,
 * - processes: who has asked of late.
 */
const PRELUDE = `
local log, state, processes = KEYS[1], KEYS[2], KEYS[3]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function text(number) return string.format('%.0f', number) end
local function keep(ms)
  for _, key in ipairs(KEYS) do
    if redis.call('PTTL', key) < ms then redis.call('PEXPIRE', key, text(ms)) end
  end
end
local closedUntil = tonumber(redis.call('HGET', state, 'closedUntil') or '0')
local function close(time)
  if time <= closedUntil then return end
  closedUntil = time
  redis.call('HSET', state, 'closedUntil', text(closedUntil))
end
`;

/**
 * Takes a slot for `id`, or tells how long there will be none.
 *
 * ARGV: limit, window with margin, lease, id, process, the epoch it knows of keys that cannot have expired yet (or '').
 * Returns { ms to wait (0: taken), epoch, processes, ms the bucket stays closed }.
 */
export const RESERVE = `${PRELUDE}
local limit, cycle, lease = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local id, process, known = ARGV[4], ARGV[5], ARGV[6]

local epoch = redis.call('HGET', state, 'epoch')
if not epoch then
  epoch = text(now)
  redis.call('HSET', state, 'epoch', epoch)
end
-- The keys were lost: nobody can tell which slots were in use then, but a window later none of them is.
if known ~= '' and known ~= epoch then close(tonumber(epoch) + cycle) end

redis.call('ZREMRANGEBYSCORE', log, '-inf', text(now))
redis.call('ZADD', processes, text(now), process)
redis.call('ZREMRANGEBYSCORE', processes, '-inf', text(now - 2 * cycle))

local wait = math.max(0, closedUntil - now)
local used = redis.call('ZCARD', log)
if wait == 0 and used < limit then
  -- A process that dies gives its slots back one lease and one window later.
  redis.call('ZADD', log, text(now + lease + cycle), id)
elseif wait == 0 then
  local entry = redis.call('ZRANGE', log, used - limit, used - limit, 'WITHSCORES')
  -- A request that is still in flight gives its slot back a full cycle from now at the earliest.
  wait = math.min(tonumber(entry[2]) - now, cycle)
end
keep(math.max(3 * (lease + cycle), closedUntil - now))
return { wait, epoch, redis.call('ZCARD', processes), math.max(0, closedUntil - now) }
`;

/**
 * The answer to the request of `id` is there.
 *
 * ARGV: ms until the slot comes back, lease, id, ms to close the bucket for.
 */
export const SETTLE = `${PRELUDE}
local back, lease, id, penalty = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
if back > 0 then
  redis.call('ZADD', log, text(now + back), id)
else
  redis.call('ZREM', log, id)
end
if penalty > 0 then close(now + penalty) end
keep(math.max(3 * (lease + back), closedUntil - now))
return 1
`;
