// The failure of one try: no response, or only a part of one.

type Remedy = 'check-address' | 'trust-authority';

/** Becomes a ServiceError in errors.ts. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  /** The request may have reached the service and may have been carried out. */
  readonly left: boolean;
  /** A retry would fail in the same way. */
  readonly lasting: boolean;
  /** The try timed out. */
  readonly late: boolean;
  /** The change in the profile of the service that would help. */
  readonly remedy: Remedy | undefined;

  constructor(
    message: string,
    state: { left: boolean; lasting?: boolean; late?: boolean; remedy?: Remedy | undefined; cause?: unknown },
  ) {
    super(message, { cause: state.cause });
    this.left = state.left;
    this.lasting = state.lasting ?? false;
    this.late = state.late ?? false;
    this.remedy = state.remedy;
  }
}

interface ConnectFailure {
  readonly message: string;
  readonly lasting?: true;
  readonly remedy?: Remedy;
}

const UNTRUSTED = { lasting: true, remedy: 'trust-authority' } as const;
const UNKNOWN_AUTHORITY: ConnectFailure = { message: 'its certificate comes from an unknown authority', ...UNTRUSTED };

/** Our own code of a proxy that cannot be reached. */
export const PROXY_AWAY = 'PROXY_AWAY';
/** Our own code of a proxy that takes a connection and closes it. */
export const PROXY_HUNG_UP = 'PROXY_HUNG_UP';

/** Failures before a connection is open: the request has certainly not left. */
const BEFORE_CONNECTION: Readonly<Record<string, ConnectFailure>> = {
  ECONNREFUSED: { message: 'nothing listens there' },
  ENOTFOUND: { message: 'its name is not known', lasting: true, remedy: 'check-address' },
  EAI_AGAIN: { message: 'its name cannot be looked up now' },
  EHOSTUNREACH: { message: 'it cannot be reached from here' },
  ENETUNREACH: { message: 'its network cannot be reached' },
  ENETDOWN: { message: 'the network is down' },
  EADDRNOTAVAIL: { message: 'its address cannot be used' },
  UND_ERR_CONNECT_TIMEOUT: { message: 'it did not take the connection in time' },
  [PROXY_AWAY]: { message: 'the proxy that the environment names (HTTPS_PROXY) cannot be reached' },
  [PROXY_HUNG_UP]: { message: 'the proxy hangs up' },
  CERT_HAS_EXPIRED: { message: 'its certificate has expired', lasting: true },
  CERT_NOT_YET_VALID: { message: 'its certificate is not valid yet', lasting: true },
  ERR_TLS_CERT_ALTNAME_INVALID: { message: 'its certificate is for another name', lasting: true },
  UND_ERR_PRX_TLS: { message: 'the certificate of the proxy is not trusted', lasting: true },
  DEPTH_ZERO_SELF_SIGNED_CERT: { message: 'its certificate is signed by itself', ...UNTRUSTED },
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
};
const TIMEOUT = /TIMEOUT|ETIMEDOUT/;
const TLS = /^(ERR_SSL|ERR_TLS|ERR_OSSL|CERT_|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO)/;

/** Failures of an open connection. */
const AFTER_CONNECTION: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'its answer stopped on the way',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of its answer are too large',
  UND_ERR_SOCKET: 'the connection broke before the answer was whole',
  ECONNRESET: 'the connection broke before the answer was whole',
  EPIPE: 'the connection broke before the answer was whole',
  ETIMEDOUT: 'it did not answer in time',
};

/** The NoAnswer for an error of undici, Node or TLS. */
export function noAnswerOf(error: unknown): NoAnswer {
  if (error instanceof NoAnswer) return error;
  const code = textAt(error, 'code');
  const before = BEFORE_CONNECTION[code];
  if (before) {
    const { message, ...state } = before;
    return new NoAnswer(message, { left: false, late: TIMEOUT.test(code), ...state, cause: error });
  }
  if (textAt(error, 'syscall') === 'connect')
    return new NoAnswer('it cannot be connected', { left: false, cause: error });
  if (TLS.test(code)) return new NoAnswer(`TLS failed (${code})`, { left: false, lasting: true, cause: error });
  if (/HTTP Tunneling/.test(textAt(error, 'message')))
    return new NoAnswer('the proxy refuses to connect to it', { left: false, lasting: true, cause: error });
  const garbled = error instanceof Error && error.name === 'HTTPParserError' ? 'its answer is not HTTP' : undefined;
  const message = AFTER_CONNECTION[code] ?? garbled ?? `the connection failed (${code || 'unknown'})`;
  return new NoAnswer(message, { left: true, late: TIMEOUT.test(code), cause: error });
}

function textAt(error: unknown, name: 'code' | 'syscall' | 'message'): string {
  const value = error instanceof Error ? (error as Error & Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : '';
}
