/** The format of the keys. Keys without this mark have the format 1. */
export const WINDOW_FORMAT = 1;

/**
 * One bucket of the budget in Redis. Times are in whole ms, on the clock of Redis:
 * - log: a sorted set of the taken slots. The score is the time at which a slot becomes free.
 * - state: `epoch`, the time at which the keys were created; `turns`, the number of slots that were granted since that
 *   time; `closedUntil`; `clock` and `server`, the time and the run of Redis of the last exchange; `format`, the format
 *   of all these keys.
 * - line: the processes that wait for a slot, in the order of their arrival.
 *
 * Three keys are shared by all buckets:
 * - processes: a sorted set. The score is the time of the last message of the process.
 * - working: the part of the budget of each process that has something to send. A silent process may have lost its
 *   connection and continue with its part, so its part goes to nobody else until the process is regarded as dead. A new
 *   process takes the part of the process that has been silent for the longest time: most often, the new process is the
 *   same program after a restart.
 * - server: `id`, the run of Redis that has the keys, and `since`, the time at which this run took over the keys of
 *   another run. A Redis that was started again, and a replica that took over, may have an older copy of the keys.
 *
 * In one exchange a process reports its slots (`id`, and ms until the slot becomes free), and requests new slots.
 *
 * ARGV: limit; window with margin; lease; horizon; silence; process id; time of sending, or ''; the epoch that the process
 * last saw, or '' if the keys may have expired; the turns that the process last saw, or 0 if the keys may have expired;
 * number of slots that the process needs; 1 if the process has something to send, otherwise 0; ms for which the bucket is
 * to be closed; then id and ms of each reported slot.
 *
 * Returns { now, epoch, turns, part, number of processes, ms for which the bucket stays closed, whether the keys were lost,
 * ms until the next request of the process, then for each granted slot its id and the ms until it may be used }, or
 * { 'format', number } if a newer version of this package has made the keys.
 */
export const EXCHANGE = `
local FORMAT = ${WINDOW_FORMAT}
local log, state, line, processes, working, shared = unpack(KEYS)
local limit, cycle, lease, horizon = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local silence, me, sentAt = tonumber(ARGV[5]), ARGV[6], tonumber(ARGV[7])
local known, knownTurns, requested = ARGV[8], tonumber(ARGV[9]), tonumber(ARGV[10])
local works, penalty = ARGV[11] == '1', tonumber(ARGV[12])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function text(number) return string.format('%.0f', number) end

local clock, closedUntil, epoch, turns, server, format =
  unpack(redis.call('HMGET', state, 'clock', 'closedUntil', 'epoch', 'turns', 'server', 'format'))
closedUntil, turns = tonumber(closedUntil or 0), tonumber(turns or 0)
if tonumber(format or FORMAT) > FORMAT then return { 'format', format } end

-- The time by which the clock has gone back since the last exchange. A step of less than a window is ignored: it only
-- delays slots by this time. Later the clock may go forward again, for example because the old master is back.
local back = tonumber(clock or now) - now
if back <= cycle then back = 0 end

-- This is the first write, because a full Redis refuses a script if its first write needs memory.
redis.call('ZREMRANGEBYSCORE', log, '-inf', text(now + back))
redis.call('HSET', state, 'clock', text(now), 'format', FORMAT)
if back > 0 then
  -- The times are set back too, so that the remaining waits are the same as at the last exchange.
  for _, id in ipairs(redis.call('ZRANGE', log, 0, -1)) do redis.call('ZINCRBY', log, text(-back), id) end
  closedUntil = math.max(0, closedUntil - back)
  redis.call('HSET', state, 'closedUntil', text(closedUntil))
end
for _, other in ipairs(redis.call('ZRANGEBYSCORE', processes, '(' .. text(now), '+inf')) do
  redis.call('ZADD', processes, text(now), other)
end

-- The processes that exist. The time of sending counts, because a message may arrive long after it was sent.
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

-- Checks that the keys are those that this process knows, and not an older copy of them.
local function close(time)
  if time <= closedUntil then return end
  closedUntil = time
  redis.call('HSET', state, 'closedUntil', text(closedUntil))
end
-- The id of this run of Redis; false or nil if Redis does not report it.
local info = redis.pcall('INFO', 'server')
local run = type(info) == 'string' and string.match(info, 'run_id:(%w+)')
local since = 0
if run then
  local last, lastSince = unpack(redis.call('HMGET', shared, 'id', 'since'))
  since = last == run and tonumber(lastSince) or last and now or 0
  if last ~= run then redis.call('HSET', shared, 'id', run, 'since', text(since)) end
end
local isOtherRun = run and server and server ~= run
if run and server ~= run then redis.call('HSET', state, 'server', run) end
if not epoch or isOtherRun or (known == epoch and turns < knownTurns) then
  epoch = text(now)
  redis.call('HSET', state, 'epoch', epoch)
  -- The last grants of the other run may be missing, also in the copy that a new process finds.
  if isOtherRun or since > 0 then close((since > 0 and math.min(since, now) or now) + cycle) end
end
-- If the keys were lost, the slots in use are not known. One window later, none of them is in use any more.
local isLost = known ~= '' and known ~= epoch
if isLost then close(math.min(tonumber(epoch), now) + cycle) end

-- The slots that this process reports.
for i = 13, #ARGV, 2 do
  local back = tonumber(ARGV[i + 1])
  if back > 0 then redis.call('ZADD', log, text(now + back), ARGV[i]) else redis.call('ZREM', log, ARGV[i]) end
end
if penalty > 0 then close(now + penalty) end

-- The slots that this process gets: one after the other, behind the processes that came before it.
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
    -- The slots of a process that dies become free one lease and one window later.
    redis.call('ZADD', log, text(now + delay + lease + cycle), id)
    given[#given + 1] = id
    given[#given + 1] = delay
  end
  if #given > 0 then redis.call('ZREM', line, me) end
end

local function keep(key, ms)
  if redis.call('PTTL', key) < ms then redis.call('PEXPIRE', key, text(ms)) end
end
for _, key in ipairs({ log, state, line, shared }) do keep(key, math.max(3 * (lease + cycle), closedUntil - now)) end
for _, key in ipairs({ processes, working }) do keep(key, 11 * cycle) end
return { now, epoch, turns, part, count, math.max(0, closedUntil - now), isLost and 1 or 0, wait, unpack(given) }
`;

/** A script that checks the connection. It changes nothing. */
export const PROBE = "return redis.call('TIME')";
