/**
 * Every script gets one key, a prefix with a hash tag that all keys of an inbox begin with.
 *
 * - `:entry:<id>` the entry, open or dead · `:done:<id>` remembers a handled one
 * - `:group:<group>` its open entries in their order · `:groups` when the first of each may be handed out
 * - `:leases` who has a group · `:dead` the dead letters by time · `:seq` counts the entries
 */
const COMMON = `
local base = KEYS[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function entryKey(id) return base .. ':entry:' .. id end
local function groupKey(group) return base .. ':group:' .. group end
local function isKnown(id) return redis.call('EXISTS', entryKey(id), base .. ':done:' .. id) > 0 end

-- The group has an entry to hand out. If it had one before, nothing changes.
local function enqueue(id)
  local entry = redis.call('HMGET', entryKey(id), 'group', 'member')
  redis.call('ZADD', groupKey(entry[1]), 0, entry[2])
  redis.call('ZADD', base .. ':groups', 'NX', now, entry[1])
end

-- Ends a claim. False if another one has taken its place.
local function release(group, lease, dueAt)
  if redis.call('HGET', base .. ':leases', group) ~= lease then return false end
  redis.call('HDEL', base .. ':leases', group)
  redis.call('ZADD', base .. ':groups', dueAt, group)
  return true
end

-- The group leaves the line if it has no other entry.
local function remove(group, id)
  redis.call('ZREM', groupKey(group), redis.call('HGET', entryKey(id), 'member'))
  if redis.call('EXISTS', groupKey(group)) == 0 then redis.call('ZREM', base .. ':groups', group) end
end

local function bury(id, error)
  redis.call('HSET', entryKey(id), 'error', error)
  redis.call('ZADD', base .. ':dead', now, id)
end
`;

/** id, event, group, order, body, receivedAt, poison or nothing. */
export const PUT = `${COMMON}
local id = ARGV[1]
if isKnown(id) then return 'duplicate' end
local seq = redis.call('INCR', base .. ':seq')
local member = ARGV[4] .. '\\1' .. string.format('%016d', seq) .. '\\1' .. id
redis.call('HSET', entryKey(id), 'event', ARGV[2], 'group', ARGV[3], 'order', ARGV[4], 'body', ARGV[5],
  'receivedAt', ARGV[6], 'attempts', 0, 'member', member)
if ARGV[7] then bury(id, ARGV[7]) else enqueue(id) end
return 'stored'
`;

/** limit, leaseMs, lease. Gives id, event, group, order, body, receivedAt, attempts of each. */
export const CLAIM = `${COMMON}
local claims = {}
for _, group in ipairs(redis.call('ZRANGEBYSCORE', base .. ':groups', '-inf', now, 'LIMIT', 0, ARGV[1])) do
  -- Behind the order and the number: an id may hold any character.
  local id = string.match(redis.call('ZRANGE', groupKey(group), 0, 0)[1], '^[^\\1]*\\1%d+\\1(.*)')
  redis.call('ZADD', base .. ':groups', now + ARGV[2], group)
  redis.call('HSET', base .. ':leases', group, ARGV[3])
  redis.call('HINCRBY', entryKey(id), 'attempts', 1)
  local entry = redis.call('HMGET', entryKey(id), 'event', 'group', 'order', 'body', 'receivedAt', 'attempts')
  table.insert(entry, 1, id)
  table.insert(claims, entry)
end
return claims
`;

/** group, lease, leaseMs. */
export const RENEW = `${COMMON}
if redis.call('HGET', base .. ':leases', ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('ZADD', base .. ':groups', now + ARGV[3], ARGV[1])
return 1
`;

/** group, lease, id, retentionMs or nothing. */
export const DONE = `${COMMON}
local group, lease, id = ARGV[1], ARGV[2], ARGV[3]
if not release(group, lease, now) then return 0 end
redis.call('SET', base .. ':done:' .. id, '', unpack(ARGV[4] and { 'PX', ARGV[4] } or {}))
remove(group, id)
redis.call('DEL', entryKey(id))
return 1
`;

/** group, lease, id, error, retryInMs or nothing. */
export const FAIL = `${COMMON}
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
  table.insert(letter, 1, id)
  table.insert(letter, redis.call('ZSCORE', base .. ':dead', id))
  table.insert(letters, letter)
end
return letters
`;

/** id. */
export const REVIVE = `${COMMON}
if redis.call('ZREM', base .. ':dead', ARGV[1]) == 0 then return 0 end
redis.call('HSET', entryKey(ARGV[1]), 'attempts', 0)
redis.call('HDEL', entryKey(ARGV[1]), 'error')
enqueue(ARGV[1])
return 1
`;
