// The addresses of clients: several may count as one, and some are those of proxies.
import { BlockList, isIP, isIPv6 } from 'node:net';
import { ServiceError } from '../contract/errors.ts';

const GROUPS = 8;

/**
 * The key under which an address is counted. IPv6 counts by its first 64 bits: a single connection to the network is given
 * as many addresses as the other 64 can name. An IPv4 address that is written as IPv6 counts as IPv4.
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

const RANGE = /^([^/]+)(?:\/(\d+))?$/;

/** Answers whether an address is one of proxies: addresses, and ranges such as 10.0.0.0/8. Throws `usage` for others. */
export function proxiesIn(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [, net = '', bits] = RANGE.exec(range) ?? [];
    const family = familyOf(net);
    try {
      list.addSubnet(net, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
    } catch (cause) {
      throw new ServiceError('usage', `--trust-proxy cannot be read: ${range}`, {
        hint: 'Write addresses or ranges of them, such as 10.0.0.0/8.',
        cause,
      });
    }
  }
  // A proxy may give any text as the address of its client.
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');
