/** The format of the keys. Keys without this mark have the format 1. */
export const INBOX_FORMAT = 1;

/**
 * Every script gets one key: the common prefix of all keys of the inbox, which contains a hash tag. The keys are:
 *
 * - `:entry:<id>`: an open entry or a dead letter. `:done:<id>`: marks an entry that was handled.
 * - `:group:<group>`: the open entries of a group, in order. `:groups`: the time from which the first entry of each
 *   group may be claimed.
 * - `:leases`: the current lease of each group. `:dead`: the dead letters, by time.
 * - `:seq`: the number of entries so far. `:fence`: the number of the last claim.
 * - `:clock`: a clock for the groups. Its time never decreases. Its field `last` is the time at which a group was
 *   last scheduled. `ahead` is the time in ms by which this clock is ahead of the clock of Redis. `format` is the
 *   format of all these keys.
 * - `:lost`: groups whose entries must be searched for among all keys.
 *
 * If Redis loses data, it loses whole keys. `:groups` and `:dead` contain a mark, so that the loss of such a key is
 * noticed even after something was added to the key again. An entry whose content was lost counts as unknown, so that a
 * new delivery replaces the entry. The lost entry's id is removed from the group when it becomes the first id of the
 * group, so that no id is handed out twice.
 *
 * If a newer version of this package has made the keys, every script returns { 'format', number }.
 */
const COMMON = `
local FORMAT = ${INBOX_FORMAT}
local base = KEYS[1]
local time = redis.call('TIME')
local wallTime = time[1] * 1000 + math.floor(time[2] / 1000)

-- Its score is infinite, or SEARCHING until all keys have been searched for entries.
local MARK, SEARCHING = '\\1', '1e300'
local function setMarks(score, condition)
  for _, key in ipairs({ ':groups', ':dead' }) do redis.call('ZADD', base .. key, condition, score, MARK) end
end

-- Whether nothing was ever stored, or all of it is lost.
local function isNew() return redis.call('EXISTS', base .. ':seq', base .. ':clock') == 0 end

-- If the clock has gone back, or another host with another clock has taken over, the time of the groups goes on where it
-- was. Otherwise all of them would wait for as long as the clock went back. Within a second clocks differ anyway.
local last, ahead, format = unpack(redis.call('HMGET', base .. ':clock', 'last', 'ahead', 'format'))
if tonumber(format or FORMAT) > FORMAT then return { 'format', format } end
local now = wallTime + (ahead or 0)
local wasSetBack = now < (last or 0) - 1000
if wasSetBack then now = tonumber(last) end

local isKept = false
local function keepTime()
  if isKept then return end
  isKept = true
  redis.call('HSET', base .. ':clock', 'last', now, 'ahead', now - wallTime, 'format', FORMAT)
end

-- From then on the group may be claimed.
local function schedule(group, dueAt)
  keepTime()
  redis.call('ZADD', base .. ':groups', dueAt, group)
end

local function entryKey(id) return base .. ':entry:' .. id end
local function groupKey(group) return base .. ':group:' .. group end

local function isDone(id) return redis.call('EXISTS', base .. ':done:' .. id) == 1 end
local function isKnown(id)
  if isDone(id) then return true end
  return redis.call('HEXISTS', entryKey(id), 'body') == 1 and redis.call('HEXISTS', entryKey(id), 'lost') == 0
end

-- Adds an entry to its group. A group that has no entry yet may be claimed from now on.
local function enqueue(group, member)
  local isScheduled = redis.call('ZSCORE', base .. ':groups', group)
  if isScheduled and redis.call('EXISTS', groupKey(group)) == 0 then redis.call('SADD', base .. ':lost', group) end
  redis.call('ZADD', groupKey(group), 0, member)
  if not isScheduled then schedule(group, now) end
end

-- Wakes workers. The user of the connection may not be allowed to.
local function announce(channel) redis.pcall('PUBLISH', channel, '') end

-- A member is the order, the sequence number and the id. The id is last, because it may contain any character.
local function idOf(member) return string.match(member, '^[^\\1]*\\1%d+\\1(.*)') end

-- Whether the entry of this member was lost, and was then delivered again or came to its end.
local function isLeftOver(group, member)
  local id = idOf(member)
  local current, currentGroup, diedAt = unpack(redis.call('HMGET', entryKey(id), 'member', 'group', 'diedAt'))
  if current then return diedAt or current ~= member or currentGroup ~= group end
  return diedAt or isDone(id)
end

-- The member whose turn it is. The second result is whether others were left over before it.
local function firstOf(group)
  local hadOthers = false
  while true do
    local member = redis.call('ZRANGE', groupKey(group), 0, 0)[1]
    if not member or not isLeftOver(group, member) then return member, hadOthers end
    redis.call('ZREM', groupKey(group), member)
    hadOthers = true
  end
end

-- Ends a claim. Returns false if another claim has replaced it.
local function release(group, lease)
  if redis.call('HGET', base .. ':leases', group) ~= lease then return false end
  redis.call('HDEL', base .. ':leases', group)
  return true
end

-- Removes an entry from its group. A group without other entries leaves the queue. With dueAt, other entries may be
-- claimed from then on.
local function remove(group, id, dueAt)
  local function zrem(member) return redis.call('ZREM', groupKey(group), member) end
  local removed = zrem(redis.call('HGET', entryKey(id), 'member') or '')
  -- If it was lost while it was handled, and delivered again, it was handled as an older member.
  local first = redis.call('ZRANGE', groupKey(group), 0, 0)[1]
  if first and idOf(first) == id then removed = removed + zrem(first) end
  if removed == 0 then
    for _, other in ipairs(redis.call('ZRANGE', groupKey(group), 0, -1)) do
      if idOf(other) == id then removed = removed + zrem(other) end
    end
  end
  if removed == 0 then
    redis.call('SADD', base .. ':lost', group)
  elseif redis.call('EXISTS', groupKey(group)) == 0 then
    redis.call('ZREM', base .. ':groups', group)
    return
  end
  if dueAt then schedule(group, dueAt) end
end

local function bury(id, error)
  if redis.call('HEXISTS', entryKey(id), 'body') == 0 then
    redis.call('HSET', entryKey(id), 'event', '', 'body', '', 'attempts', 0, 'lost', 1)
  end
  redis.call('HSET', entryKey(id), 'error', error, 'diedAt', wallTime)
  redis.call('ZADD', base .. ':dead', wallTime, id)
end
`;

/**
 * A full Redis refuses a script if its first write needs memory. A script that empties the inbox must not be refused, so it
 * begins with a write that needs no memory.
 */
const DRAINING = `${COMMON}
redis.call('DEL', base .. ':none')
`;

/** Arguments: id, event, group, order, body, receivedAt, the channel of the workers, poison (optional). */
export const PUT = `${COMMON}
local id = ARGV[1]
if isKnown(id) then return 'duplicate' end
if isNew() then setMarks('inf', 'NX') end
local oldGroup, oldMember = unpack(redis.call('HMGET', entryKey(id), 'group', 'member'))
if oldMember and not redis.call('ZSCORE', base .. ':dead', id) then
  -- Who has it in hand has nothing to handle, because its content was lost before.
  if firstOf(oldGroup) == oldMember and redis.call('HDEL', base .. ':leases', oldGroup) == 1 then
    schedule(oldGroup, now)
  end
  remove(oldGroup, id)
end
local seq = redis.call('INCR', base .. ':seq')
local member = ARGV[4] .. '\\1' .. string.format('%016d', seq) .. '\\1' .. id
redis.call('DEL', entryKey(id))
redis.call('ZREM', base .. ':dead', id)
redis.call('HSET', entryKey(id), 'event', ARGV[2], 'group', ARGV[3], 'order', ARGV[4], 'body', ARGV[5],
  'receivedAt', ARGV[6], 'attempts', 0, 'member', member)
if ARGV[8] then bury(id, ARGV[8]) else enqueue(ARGV[3], member) end
announce(ARGV[7])
return 'stored'
`;

/**
 * Arguments: limit, leaseMs, lease, a flag (1 marks suspects, 0 does not), then the groups to skip. Returns the claims,
 * the lost groups, the ids whose content is lost, and 1 if a mark is missing. Each claim consists of its fence, then
 * id, event, group, order, body, receivedAt, attempts and suspicion of the entry.
 */
export const CLAIM = `${DRAINING}
if wasSetBack then keepTime() end
local limit = tonumber(ARGV[1])
local except = {}
for i = 5, #ARGV do except[ARGV[i]] = true end
local claims, empty = {}, {}
-- Not less than the time in microseconds, so that the numbers still rise after Redis has lost the counter.
local fence = math.max(tonumber(redis.call('GET', base .. ':fence') or 0), time[1] * 1000000 + time[2] - 1)
local due = redis.call('ZRANGEBYSCORE', base .. ':groups', '-inf', now, 'LIMIT', 0, limit + #ARGV - 4)
for _, group in ipairs(due) do
  if #claims < limit and not except[group] then
    schedule(group, now + ARGV[2])
    local member, hadOthers = firstOf(group)
    if member then
      local id = idOf(member)
      local event, order, body, receivedAt, attempts, suspicion = unpack(redis.call('HMGET', entryKey(id), 'event',
        'order', 'body', 'receivedAt', 'attempts', 'suspicion'))
      if not body then
        event, order, body, receivedAt = '', '', '', 0
        redis.call('HSET', entryKey(id), 'event', event, 'group', group, 'order', order, 'body', body,
          'receivedAt', receivedAt, 'member', member, 'lost', 1)
        empty[#empty + 1] = id
      end
      suspicion = tonumber(suspicion or 0)
      local isSuspect = ARGV[4] == '1' and suspicion > 0
      suspicion = math.max(suspicion, isSuspect and 2 or 1)
      attempts = (attempts or 0) + (isSuspect and 0 or 1)
      redis.call('HSET', entryKey(id), 'attempts', attempts, 'suspicion', suspicion)
      redis.call('HSET', base .. ':leases', group, ARGV[3])
      fence = fence + 1
      claims[#claims + 1] =
        { string.format('%.0f', fence), id, event, group, order, body, receivedAt, attempts, suspicion }
    elseif hadOthers then
      redis.call('ZREM', base .. ':groups', group)
    else
      redis.call('SADD', base .. ':lost', group)
    end
  end
end
if #claims > 0 then redis.call('SET', base .. ':fence', string.format('%.0f', fence)) end
local function isMarked(key) return redis.call('ZSCORE', base .. key, MARK) == 'inf' end
local isWhole = isMarked(':groups') and isMarked(':dead') or isNew()
return { claims, redis.call('SMEMBERS', base .. ':lost'), empty, isWhole and 0 or 1 }
`;

/**
 * Arguments: cursor, leaseMs. Scans the next keys, and adds the entries to their groups, missing groups to `:groups`,
 * and missing dead letters to `:dead`. Returns the next cursor ('0' at the end), and the numbers of groups and dead
 * letters that were missing.
 */
export const REPAIR = `${DRAINING}
if ARGV[1] == '0' then setMarks(SEARCHING, 'NX') end
local prefix = entryKey('')
local pattern = string.gsub(prefix, '[%[%]?*\\\\]', '\\\\%0') .. '*'
local reply = redis.call('SCAN', ARGV[1], 'MATCH', pattern, 'COUNT', 1000)
local groups, letters = 0, 0

local function restoreOpen(group, member)
  if not redis.call('ZSCORE', base .. ':groups', group) then
    local isLost = redis.call('EXISTS', groupKey(group)) == 0
    if isLost then redis.call('SADD', base .. ':lost', group) end
    -- A group in hand may be handled still. A lost group is due when all of its entries were found.
    local waits = isLost or redis.call('HEXISTS', base .. ':leases', group) == 1
    schedule(group, waits and now + ARGV[2] or now)
    groups = groups + 1
  end
  redis.call('ZADD', groupKey(group), 0, member)
end

for _, key in ipairs(reply[2]) do
  local id = string.sub(key, #prefix + 1)
  local group, member, diedAt = unpack(redis.call('HMGET', key, 'group', 'member', 'diedAt'))
  local deadSince = redis.call('ZSCORE', base .. ':dead', id)
  if deadSince then
    -- Stored before entries had the time.
    if not diedAt then redis.call('HSET', key, 'diedAt', deadSince) end
  elseif diedAt then
    redis.call('ZADD', base .. ':dead', diedAt, id)
    letters = letters + 1
  elseif group and member then
    restoreOpen(group, member)
  end
end
return { reply[1], groups, letters }
`;

/**
 * Arguments: the lost groups whose entries were searched for. If a mark was lost during the search, this script does
 * not set it again, so that the next claim notices the loss.
 */
export const REPAIRED = `${DRAINING}
setMarks('inf', 'XX')
for _, group in ipairs(ARGV) do
  redis.call('SREM', base .. ':lost', group)
  if redis.call('EXISTS', groupKey(group)) == 0 then
    redis.call('ZREM', base .. ':groups', group)
    redis.call('HDEL', base .. ':leases', group)
  elseif redis.call('HEXISTS', base .. ':leases', group) == 0 then
    schedule(group, now)
  end
end
return 1
`;

/** Arguments: group, lease, id, attempts, suspicion. */
export const BEGIN = `${DRAINING}
if redis.call('HGET', base .. ':leases', ARGV[1]) ~= ARGV[2] then return 0 end
if redis.call('EXISTS', entryKey(ARGV[3])) == 1 then
  redis.call('HSET', entryKey(ARGV[3]), 'attempts', ARGV[4], 'suspicion', ARGV[5])
end
return 1
`;

/** Arguments: group, lease, leaseMs. */
export const RENEW = `${DRAINING}
if redis.call('HGET', base .. ':leases', ARGV[1]) ~= ARGV[2] then return 0 end
schedule(ARGV[1], now + ARGV[3])
return 1
`;

/**
 * Arguments: retentionMs or '', then group, lease and id of each claim. Returns 1, 0 or the text of an error for each
 * claim.
 */
export const DONE = `${DRAINING}
local expiry = ARGV[1] ~= '' and { 'PX', ARGV[1] } or {}
local function finish(group, lease, id)
  if not release(group, lease) then return 0 end
  remove(group, id, now)
  redis.call('DEL', entryKey(id))
  redis.call('SET', base .. ':done:' .. id, '', unpack(expiry))
  return 1
end
local results = {}
for i = 2, #ARGV, 3 do
  local _, result = pcall(finish, unpack(ARGV, i, i + 2))
  results[#results + 1] = type(result) == 'table' and result.err or result
end
return results
`;

/**
 * Arguments: group, lease, id, error, then retryInMs, and the change of the entry's attempts. If the entry stays a
 * suspect, the last argument is omitted. Without retryInMs, the entry becomes a dead letter.
 */
export const FAIL = `${DRAINING}
local group, lease, id = ARGV[1], ARGV[2], ARGV[3]
if not release(group, lease) then return 0 end
if ARGV[5] then
  schedule(group, now + ARGV[5])
  redis.call('HSET', entryKey(id), 'error', ARGV[4])
  if ARGV[6] then
    redis.call('HINCRBY', entryKey(id), 'attempts', ARGV[6])
    redis.call('HDEL', entryKey(id), 'suspicion')
  end
else
  remove(group, id, now)
  bury(id, ARGV[4])
end
return 1
`;

/** Arguments: id. */
export const HAS = `${COMMON}
return isKnown(ARGV[1]) and 1 or 0
`;

/** Arguments: limit. Returns id, event, body, attempts, error and diedAt of each dead letter. */
export const DEAD_LETTERS = `${COMMON}
local letters = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', base .. ':dead', '-inf', '(' .. SEARCHING, 'LIMIT', 0, ARGV[1])) do
  local letter = redis.call('HMGET', entryKey(id), 'event', 'body', 'attempts', 'error')
  for i = 1, 4 do letter[i] = letter[i] or '' end
  table.insert(letter, 1, id)
  table.insert(letter, redis.call('ZSCORE', base .. ':dead', id))
  table.insert(letters, letter)
end
return letters
`;

/** Arguments: id, the channel of the workers. */
export const REVIVE = `${DRAINING}
if redis.call('ZREM', base .. ':dead', ARGV[1]) == 0 then return 0 end
local entry = redis.call('HMGET', entryKey(ARGV[1]), 'group', 'member')
if not (entry[1] and entry[2]) then
  -- Redis has lost it. Nothing may stay, because the id would count as known.
  redis.call('DEL', entryKey(ARGV[1]))
  return 0
end
redis.call('HSET', entryKey(ARGV[1]), 'attempts', 0)
redis.call('HDEL', entryKey(ARGV[1]), 'error', 'diedAt', 'suspicion')
enqueue(entry[1], entry[2])
announce(ARGV[2])
return 1
`;

/**
 * Arguments: cursor. Counts the open entries of the next groups. Returns the next cursor ('0' at the end), the number
 * of these entries, and the total number of dead letters.
 */
export const STATS = `${COMMON}
local reply = redis.call('ZSCAN', base .. ':groups', ARGV[1], 'COUNT', 1000)
local open = 0
for i = 1, #reply[2], 2 do open = open + redis.call('ZCARD', groupKey(reply[2][i])) end
return { reply[1], open, redis.call('ZCOUNT', base .. ':dead', '-inf', '(' .. SEARCHING) }
`;
