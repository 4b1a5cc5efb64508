/**
 * Every script gets one key, a prefix with a hash tag that all keys of an inbox begin with.
 *
 * - `:entry:<id>` the entry, open or dead · `:done:<id>` remembers a handled one
 * - `:group:<group>` its open entries in their order · `:groups` when the first of each may be handed out
 * - `:leases` who has a group · `:dead` the dead letters by time · `:seq` counts the entries · `:fence` the claims
 * - `:lost` groups whose entries must be looked for
 */
const COMMON = `
local base = KEYS[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function entryKey(id) return base .. ':entry:' .. id end
local function groupKey(group) return base .. ':group:' .. group end

-- A dead letter whose content Redis has lost is as good as unknown: what is delivered again replaces it.
local function isEmpty(id)
  return redis.call('HEXISTS', entryKey(id), 'lost') == 1 and redis.call('ZSCORE', base .. ':dead', id)
end
local function isKnown(id)
  return redis.call('EXISTS', entryKey(id), base .. ':done:' .. id) > 0 and not isEmpty(id)
end

-- The group has an entry to hand out. If it had one before, nothing changes.
local function enqueue(group, member)
  if redis.call('ZSCORE', base .. ':groups', group) and redis.call('EXISTS', groupKey(group)) == 0 then
    redis.call('SADD', base .. ':lost', group)
  end
  redis.call('ZADD', groupKey(group), 0, member)
  redis.call('ZADD', base .. ':groups', 'NX', now, group)
end

-- Behind the order and the number: an id may hold any character.
local function idOf(member) return string.match(member, '^[^\\1]*\\1%d+\\1(.*)') end

-- Ends a claim. False if another one has taken its place.
local function release(group, lease, dueAt)
  if redis.call('HGET', base .. ':leases', group) ~= lease then return false end
  redis.call('HDEL', base .. ':leases', group)
  redis.call('ZADD', base .. ':groups', dueAt, group)
  return true
end

-- The group leaves the line if it has no other entry.
local function remove(group, id)
  local member = redis.call('HGET', entryKey(id), 'member')
  if not member then
    for _, other in ipairs(redis.call('ZRANGE', groupKey(group), 0, -1)) do
      if idOf(other) == id then member = other end
    end
  end
  if not member or redis.call('ZREM', groupKey(group), member) == 0 then
    redis.call('SADD', base .. ':lost', group)
  elseif redis.call('EXISTS', groupKey(group)) == 0 then
    redis.call('ZREM', base .. ':groups', group)
  end
end

local function bury(id, error)
  if redis.call('HEXISTS', entryKey(id), 'body') == 0 then
    redis.call('HSET', entryKey(id), 'event', '', 'body', '', 'attempts', 0, 'lost', 1)
  end
  redis.call('HSET', entryKey(id), 'error', error)
  redis.call('ZADD', base .. ':dead', now, id)
end
`;

/**
 * A full Redis refuses a script whose first write needs memory. What empties the inbox must not be refused: it begins with
 * one that needs none.
 */
const DRAINING = `${COMMON}
redis.call('DEL', base .. ':none')
`;

/** id, event, group, order, body, receivedAt, poison or nothing. */
export const PUT = `${COMMON}
local id = ARGV[1]
if isKnown(id) then return 'duplicate' end
local seq = redis.call('INCR', base .. ':seq')
local member = ARGV[4] .. '\\1' .. string.format('%016d', seq) .. '\\1' .. id
redis.call('DEL', entryKey(id))
redis.call('ZREM', base .. ':dead', id)
redis.call('HSET', entryKey(id), 'event', ARGV[2], 'group', ARGV[3], 'order', ARGV[4], 'body', ARGV[5],
  'receivedAt', ARGV[6], 'attempts', 0, 'member', member)
if ARGV[7] then bury(id, ARGV[7]) else enqueue(ARGV[3], member) end
return 'stored'
`;

/**
 * limit, leaseMs, lease, groups to leave alone. Gives the claims, the groups that are lost and the ids without content; of
 * each claim its number, id, event, group, order, body, receivedAt, attempts.
 */
export const CLAIM = `${DRAINING}
local limit = tonumber(ARGV[1])
local except = {}
for i = 4, #ARGV do except[ARGV[i]] = true end
local claims, empty = {}, {}
local due = redis.call('ZRANGEBYSCORE', base .. ':groups', '-inf', now, 'LIMIT', 0, limit + #ARGV - 3)
for _, group in ipairs(due) do
  if #claims < limit and not except[group] then
    redis.call('ZADD', base .. ':groups', now + ARGV[2], group)
    local member = redis.call('ZRANGE', groupKey(group), 0, 0)[1]
    if member then
      local id = idOf(member)
      if redis.call('HEXISTS', entryKey(id), 'body') == 0 then
        redis.call('HSET', entryKey(id), 'event', '', 'group', group, 'order', '', 'body', '', 'receivedAt', 0,
          'member', member, 'lost', 1)
        empty[#empty + 1] = id
      end
      redis.call('HSET', base .. ':leases', group, ARGV[3])
      redis.call('HINCRBY', entryKey(id), 'attempts', 1)
      -- At least the time, in us, so that the numbers rise also when the counter is lost.
      local fence = math.max((tonumber(redis.call('GET', base .. ':fence') or 0)) + 1, time[1] * 1000000 + time[2])
      redis.call('SET', base .. ':fence', string.format('%.0f', fence))
      local entry = redis.call('HMGET', entryKey(id), 'event', 'group', 'order', 'body', 'receivedAt', 'attempts')
      table.insert(entry, 1, id)
      table.insert(entry, 1, string.format('%.0f', fence))
      claims[#claims + 1] = entry
    else
      redis.call('SADD', base .. ':lost', group)
    end
  end
end
return { claims, redis.call('SMEMBERS', base .. ':lost'), empty }
`;

/** cursor. One step through all keys: enters what belongs to a lost group into it. Gives the next cursor, '0' after the last. */
export const REPAIR = `${DRAINING}
local prefix = entryKey('')
local pattern = string.gsub(prefix, '[%[%]?*\\\\]', '\\\\%0') .. '*'
local reply = redis.call('SCAN', ARGV[1], 'MATCH', pattern, 'COUNT', 1000)
for _, key in ipairs(reply[2]) do
  local id = string.sub(key, #prefix + 1)
  local entry = redis.call('HMGET', key, 'group', 'member')
  if entry[1] and entry[2] and redis.call('SISMEMBER', base .. ':lost', entry[1]) == 1
    and not redis.call('ZSCORE', base .. ':dead', id) then
    redis.call('ZADD', groupKey(entry[1]), 0, entry[2])
  end
end
return reply[1]
`;

/** Lost groups that were looked for. */
export const REPAIRED = `${DRAINING}
for _, group in ipairs(ARGV) do
  redis.call('SREM', base .. ':lost', group)
  if redis.call('EXISTS', groupKey(group)) == 0 then
    redis.call('ZREM', base .. ':groups', group)
    redis.call('HDEL', base .. ':leases', group)
  elseif redis.call('HEXISTS', base .. ':leases', group) == 0 then
    redis.call('ZADD', base .. ':groups', now, group)
  end
end
return 1
`;

/** group, lease, leaseMs. */
export const RENEW = `${DRAINING}
if redis.call('HGET', base .. ':leases', ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('ZADD', base .. ':groups', now + ARGV[3], ARGV[1])
return 1
`;

/** group, lease, id, retentionMs or nothing. */
export const DONE = `${DRAINING}
local group, lease, id = ARGV[1], ARGV[2], ARGV[3]
if not release(group, lease, now) then return 0 end
remove(group, id)
redis.call('DEL', entryKey(id))
redis.call('SET', base .. ':done:' .. id, '', unpack(ARGV[4] and { 'PX', ARGV[4] } or {}))
return 1
`;

/** group, lease, id, error, retryInMs or nothing. */
export const FAIL = `${DRAINING}
local group, lease, id = ARGV[1], ARGV[2], ARGV[3]
if not release(group, lease, now + (ARGV[5] or 0)) then return 0 end
if ARGV[5] then
  redis.call('HSET', entryKey(id), 'error', ARGV[4])
else
  remove(group, id)
  bury(id, ARGV[4])
end
return 1
`;

/** id. */
export const HAS = `${COMMON}
return isKnown(ARGV[1]) and 1 or 0
`;

/** limit. Gives id, event, body, attempts, error, diedAt of each. */
export const DEAD_LETTERS = `${COMMON}
local letters = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', base .. ':dead', '-inf', '+inf', 'LIMIT', 0, ARGV[1])) do
  local letter = redis.call('HMGET', entryKey(id), 'event', 'body', 'attempts', 'error')
  for i = 1, 4 do letter[i] = letter[i] or '' end
  table.insert(letter, 1, id)
  table.insert(letter, redis.call('ZSCORE', base .. ':dead', id))
  table.insert(letters, letter)
end
return letters
`;

/** id. */
export const REVIVE = `${DRAINING}
if redis.call('ZREM', base .. ':dead', ARGV[1]) == 0 then return 0 end
redis.call('HSET', entryKey(ARGV[1]), 'attempts', 0)
redis.call('HDEL', entryKey(ARGV[1]), 'error')
local entry = redis.call('HMGET', entryKey(ARGV[1]), 'group', 'member')
if not entry[1] then return 0 end
enqueue(entry[1], entry[2])
return 1
`;
