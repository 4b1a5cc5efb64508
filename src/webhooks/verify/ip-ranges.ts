import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Returns a function that returns true for an address in the list or in one of its ranges. Invalid entries are ignored.
 *
 * @throws {Error} if the list does not contain a valid entry.
 */
export function createRanges(entries: readonly string[]): (address: string) => boolean {
  const ranges = entries.map(parseRange).filter(range => range !== undefined);
  if (ranges.length === 0) throw new Error('The list contains no address.');
  return text => {
    const address = parseAddress(text);
    return (
      address !== undefined &&
      ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))
    );
  };
}

function parseRange(entry: string): [base: Address, bits: number] | undefined {
  const [text = '', length, ...rest] = entry.trim().split('/');
  const written = ipaddr.IPv6.isValid(text) ? 128 : 32;
  const base = parseAddress(text);
  if (base === undefined || rest.length > 0) return undefined;
  if (length !== undefined && !(/^\d{1,3}$/.test(length) && Number(length) <= written)) return undefined;
  // In IPv6 notation, the length of an IPv4 range includes the bits of the IPv6 prefix.
  const whole = base.kind() === 'ipv6' ? 128 : 32;
  const bits = Number(length ?? written) - (written - whole);
  return bits < 0 ? undefined : [base, bits];
}

/** If a server listens on both protocols, an IPv4 address has the form `::ffff:192.0.2.1`. */
function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}
