/**
 * One bucket of the budget in Redis, on the server's clock, in whole ms:
 * - log: a sorted set of the taken slots, scored by the time at which each comes back,
 * - state: `epoch`, the time at which the keys came to be, `turns`, the slots given since, and `closedUntil`,
 * - line: the processes that wait for a slot, in the order in which they came.
 *
 * And of all buckets together:
 * - processes: scored by when each was heard of last,
 * - working: the part of the budget of each process that has something to send. One that is not heard of any more may be
 *   cut off and go on alone with its part, so nobody else gets that, until it is taken for dead. A new process takes the
 *   place of the one that has been silent for longest: most often it is the same program, started again.
 *
 * A process tells what it holds (`id`, ms until it comes back, 0 for at once) and asks for slots at the same time.
 *
 * ARGV: limit, window with margin, lease, horizon, silence, process, when it sent this (or ''), the epoch and the turns it
 * knows of keys that cannot have expired yet (or ''), how many slots it asks for, whether it works (1 or 0), ms to close the bucket for,
 * then id and ms of each slot that it tells of.
 * Returns { now, epoch, turns, part, processes, ms the bucket stays closed, whether the keys were lost, ms until it is worth
 * asking again, then id and ms until it may be used of each slot given }.
 */
export const EXCHANGE = `
local log, state, line, processes, working = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local limit, cycle, lease, horizon = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local silence, me, sentAt = tonumber(ARGV[5]), ARGV[6], tonumber(ARGV[7])
local known, knownTurns, requested = ARGV[8], tonumber(ARGV[9]), tonumber(ARGV[10])
local works, penalty = ARGV[11] == '1', tonumber(ARGV[12])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function text(number) return string.format('%.0f', number) end

-- First, since a full Redis refuses a script whose first write needs memory.
redis.call('ZREMRANGEBYSCORE', log, '-inf', text(now))

-- Who is there. What was sent long ago does not tell that its sender is there now.
local before = redis.call('ZSCORE', processes, me)
redis.call('ZADD', processes, text(math.max(tonumber(before or 0), math.min(sentAt or now, now))), me)
local silent = redis.call('ZRANGEBYSCORE', processes, '-inf', text(now - silence), 'WITHSCORES')
for i = 1, #silent, 2 do
  local isWorking = redis.call('HEXISTS', working, silent[i]) == 1
  if silent[i] ~= me and tonumber(silent[i + 1]) < now - (isWorking and 10 or 2) * cycle then
    redis.call('ZREM', processes, silent[i])
    redis.call('HDEL', working, silent[i])
  end
end
local parts, others = {}, 0
local flat = redis.call('HGETALL', working)
for i = 1, #flat, 2 do
  parts[flat[i]] = tonumber(flat[i + 1])
  if flat[i] ~= me then others = others + parts[flat[i]] end
end
local count = redis.call('ZCARD', processes)
if works and not before and others + 1 / count > 1.0001 then
  for _, other in ipairs(redis.call('ZRANGE', processes, 0, -1)) do
    if other ~= me and parts[other] then
      others = others - parts[other]
      parts[other] = nil
      redis.call('HDEL', working, other)
      break
    end
  end
end
local part = string.format('%.6f', math.floor(math.max(0, math.min(1 / count, 1 - others)) * 1e6) / 1e6)
if works then redis.call('HSET', working, me, part) else redis.call('HDEL', working, me) end

-- Whether the keys are those that this process knows, and have not gone back in time.
local closedUntil = tonumber(redis.call('HGET', state, 'closedUntil') or 0)
local function close(time)
  if time <= closedUntil then return end
  closedUntil = time
  redis.call('HSET', state, 'closedUntil', text(closedUntil))
end
local epoch = redis.call('HGET', state, 'epoch')
local turns = tonumber(redis.call('HGET', state, 'turns') or 0)
if not epoch or (known == epoch and turns < knownTurns) then
  epoch = text(now)
  redis.call('HSET', state, 'epoch', epoch)
end
-- If not, nobody can tell which slots were in use then, but a window later none of them is.
local isLost = known ~= '' and known ~= epoch
if isLost then close(tonumber(epoch) + cycle) end

-- What this process holds.
for i = 13, #ARGV, 2 do
  local back = tonumber(ARGV[i + 1])
  if back > 0 then redis.call('ZADD', log, text(now + back), ARGV[i]) else redis.call('ZREM', log, ARGV[i]) end
end
if penalty > 0 then close(now + penalty) end

-- What it gets: one slot after the other is its, behind those for whoever came before.
local wait, given = 0, {}
if requested < 1 then
  redis.call('ZREM', line, me)
elseif closedUntil > now then
  wait = closedUntil - now
else
  local room = limit
  for _, other in ipairs(redis.call('ZRANGEBYSCORE', processes, '-inf', text(now - silence))) do
    if other ~= me then
      room = room - math.floor(limit * (parts[other] or 0) + 0.001)
      redis.call('ZREM', line, other)
    end
  end
  if not redis.call('ZSCORE', line, me) then
    redis.call('ZADD', line, redis.call('HINCRBY', state, 'arrivals', 1), me)
  end
  local used = redis.call('ZCARD', log)
  local first = redis.call('ZRANK', line, me)
  for turn = first, first + math.min(requested, math.max(1, math.floor(room / count))) - 1 do
    local delay = 0
    if turn >= room - used then
      local entry = redis.call('ZRANGE', log, turn + used - room, turn + used - room, 'WITHSCORES')
      delay = entry[2] and tonumber(entry[2]) - now or cycle
    end
    if delay > horizon then
      wait = math.floor(math.max(1, math.min(delay - horizon / 2, cycle, silence * 0.8)))
      break
    end
    turns = redis.call('HINCRBY', state, 'turns', 1)
    local id = me .. ':' .. turns
    -- A process that dies gives its slots back one lease and one window later.
    redis.call('ZADD', log, text(now + delay + lease + cycle), id)
    given[#given + 1] = id
    given[#given + 1] = delay
  end
  if #given > 0 then redis.call('ZREM', line, me) end
end

local function keep(key, ms)
  if redis.call('PTTL', key) < ms then redis.call('PEXPIRE', key, text(ms)) end
end
for _, key in ipairs({ log, state, line }) do keep(key, math.max(3 * (lease + cycle), closedUntil - now)) end
for _, key in ipairs({ processes, working }) do keep(key, 11 * cycle) end
return { now, epoch, turns, part, count, math.max(0, closedUntil - now), isLost and 1 or 0, wait, unpack(given) }
`;

/** Changes nothing. */
export const PROBE = "return redis.call('TIME')";
