-- Append entries to one race's log if nothing speaks against it: steps 2 and 3 of "Append" in the events spec.
-- KEYS: the stream. ARGV: seen seq, seen hash, lane, from and until in ms ('' = none), then a MAC and a body per entry.
-- All checks come before the first write. The first line is no `#!lua`: Redis 6.2 does not know that.
local WINDOW = 256
local key, seen, seen_h, lane, from, til = KEYS[1], tonumber(ARGV[1]), ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local added = (#ARGV - 5) / 2

-- The window is as long as the furthest place where a repeated append can find its own entries.
local missed = redis.call('XRANGE', key, ARGV[1] .. '-0', '+', 'COUNT', WINDOW + 1 + added)

local last
if seen > 0 then
  last = table.remove(missed, 1)
  if not last or last[1] ~= ARGV[1] .. '-0' or last[2][2] ~= seen_h then
    return {'forked'}
  end
end

local later = #missed
local conflict = later >= WINDOW or (lane == '*' and later > 0)
for i = 1, later do
  local other = missed[i][2][6]
  conflict = conflict or other == '*' or other == lane
end
if conflict then
  return {'behind', missed}
end

local clock = redis.call('TIME')
local at = clock[1] * 1000 + math.floor(clock[2] / 1000)
last = missed[later] or last
local last_h = seen_h
if last then
  last_h = last[2][2]
  at = math.max(at, tonumber(last[2][4]))
end
if from and at < from then
  return {'early', at}
end
if til and at >= til then
  return {'late', at}
end

-- Lua prints large numbers with an exponent; the chain hashes plain digits.
local digits = string.format('%.0f', at)
local seq = seen + later
local hashes = {}
for i = 1, added do
  last_h = string.sub(redis.sha1hex(last_h .. digits .. ARGV[4 + 2 * i]), 1, 32)
  hashes[i] = last_h
  redis.call('XADD', key, string.format('%.0f', seq + i) .. '-0', 'h', last_h, 'a', digits, 'l', lane, 'b', ARGV[5 + 2 * i])
end
return {'appended', seq, missed, hashes, at}
