// The address of a service, checked before anything is sent to it.
import { ServiceError } from '../contract/errors.ts';

export interface Endpoint {
  /** Scheme, host and port: a credential is sent to this origin only. */
  readonly origin: string;
  /** The path in front of every route: `/v4`. */
  readonly base: string;
  /** The service is on this machine. */
  readonly loopback: boolean;
  readonly secure: boolean;
}

const VERSION = '/v4';

/** Reads a base URL, with or without `/v4`. Throws `usage` for an invalid one, and for plain HTTP to another machine. */
export function endpointOf(text: string, allowHttp = false): Endpoint {
  const url = checked(text);
  const path = url.pathname.replace(/\/+$/, '');
  const endpoint = {
    origin: url.origin,
    base: path.toLowerCase().endsWith(VERSION) ? path : `${path}${VERSION}`,
    loopback: isLoopback(url.hostname),
    secure: url.protocol === 'https:',
  };
  if (endpoint.secure || endpoint.loopback || allowHttp) return endpoint;
  throw new ServiceError('usage', `${url.origin} would send the password in the open: it is not https://`, {
    hint: 'Write https://.',
    next: { do: 'allow-http' },
  });
}

function checked(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ServiceError('usage', 'the URL of the service is none that begins with https:// or http://', {
      hint: 'Write it as in https://pm.example.org',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new ServiceError('usage', `the URL of ${url.host} holds a user or a password, which do not belong there`, {
      hint: 'Leave them out of it.',
      next: { do: 'log-in' },
    });
  }
  if (url.search === '' && url.hash === '') return url;
  throw new ServiceError('usage', `the URL of ${url.host} has a query or a fragment behind its path`, {
    hint: 'Leave out what begins with ? or #.',
  });
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
