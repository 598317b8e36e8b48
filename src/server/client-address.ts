// Groups the addresses of clients for what is counted by address.
import { isIPv6 } from 'node:net';

const GROUPS = 8;

/**
 * The key under which an address is counted. IPv6 counts by its first 64 bits: a single connection to the network is given
 * as many addresses as the other 64 can name. An IPv4 address that is written as IPv6 counts as what it is.
 */
export function addressGroup(address: string): string {
  const [ip = ''] = address.split('%');
  if (!isIPv6(ip)) return address;
  const groups = groupsOf(ip);
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return groups.slice(6).flatMap(bytesOf).join('.');
  return `${groups.slice(0, GROUPS / 2).join(':')}::/64`;
}

/** The eight groups, in lower case and without leading zeros. */
function groupsOf(ip: string): readonly string[] {
  const [head = '', tail = ''] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::').map(String);
  const [first, last] = [head, tail].map((part) => part.split(':').filter((group) => group !== ''));
  const known = (first?.length ?? 0) + (last?.length ?? 0);
  return [...(first ?? []), ...Array<string>(GROUPS - known).fill('0'), ...(last ?? [])];
}

const bytesOf = (group: string): readonly number[] => {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 255];
};
