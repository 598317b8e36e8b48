// The failure of one try: nothing was answered, or only a part.

type Remedy = 'check-address' | 'trust-authority';

/** A ServiceError is made of it where the client knows what that means for the change. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  /** The request may have reached the service, and may have been carried out. */
  readonly left: boolean;
  /** Another try would end alike. */
  readonly lasting: boolean;
  /** The time was up before anything came. */
  readonly late: boolean;
  /** What to do to the profile of the service. */
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

interface Meaning {
  readonly words: string;
  readonly lasting?: true;
  readonly remedy?: Remedy;
}

/** Failures before a connection stands: the request has certainly not left. */
const BEFORE: Readonly<Record<string, Meaning>> = {
  ECONNREFUSED: { words: 'nothing listens there' },
  ENOTFOUND: { words: 'its name is not known', lasting: true, remedy: 'check-address' },
  EAI_AGAIN: { words: 'its name cannot be looked up now' },
  EHOSTUNREACH: { words: 'there is no way to it' },
  ENETUNREACH: { words: 'there is no way to its network' },
  ENETDOWN: { words: 'the network is down' },
  EADDRNOTAVAIL: { words: 'its address cannot be used' },
  UND_ERR_CONNECT_TIMEOUT: { words: 'it did not take the connection in time' },
  CERT_HAS_EXPIRED: { words: 'its certificate has run out', lasting: true },
  CERT_NOT_YET_VALID: { words: 'its certificate is not valid yet', lasting: true },
  ERR_TLS_CERT_ALTNAME_INVALID: { words: 'its certificate is for another name', lasting: true },
  UND_ERR_PRX_TLS: { words: 'the certificate of the proxy is not trusted', lasting: true },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    words: 'its certificate is signed by itself',
    lasting: true,
    remedy: 'trust-authority',
  },
  SELF_SIGNED_CERT_IN_CHAIN: {
    words: 'its certificate comes from an unknown authority',
    lasting: true,
    remedy: 'trust-authority',
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    words: 'its certificate comes from an unknown authority',
    lasting: true,
    remedy: 'trust-authority',
  },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: {
    words: 'its certificate comes from an unknown authority',
    lasting: true,
    remedy: 'trust-authority',
  },
};
const TIMES_UP = /TIMEOUT|ETIMEDOUT/;
const TLS = /^(ERR_SSL|ERR_TLS|ERR_OSSL|CERT_|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO)/;

/** Failures of a connection that stood. */
const AFTER: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'its answer stopped on the way',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of its answer are too large',
  UND_ERR_SOCKET: 'the connection broke before the answer was whole',
  ECONNRESET: 'the connection broke before the answer was whole',
  EPIPE: 'the connection broke before the answer was whole',
  ETIMEDOUT: 'it did not answer in time',
};

/** Says what an error of the connection means. */
export function noAnswerOf(error: unknown): NoAnswer {
  if (error instanceof NoAnswer) return error;
  const code = textAt(error, 'code');
  const before = BEFORE[code];
  if (before) {
    const { words, lasting = false, remedy } = before;
    return new NoAnswer(words, { left: false, lasting, late: TIMES_UP.test(code), remedy, cause: error });
  }
  if (textAt(error, 'syscall') === 'connect')
    return new NoAnswer('it cannot be connected', { left: false, cause: error });
  if (TLS.test(code)) return new NoAnswer(`TLS failed (${code})`, { left: false, lasting: true, cause: error });
  if (/HTTP Tunneling/.test(textAt(error, 'message')))
    return new NoAnswer('the proxy refuses to connect to it', { left: false, lasting: true, cause: error });
  const garbled =
    error instanceof Error && error.name === 'HTTPParserError' ? 'what it answers is not HTTP' : undefined;
  const words = AFTER[code] ?? garbled ?? `the connection failed (${code || 'unknown'})`;
  return new NoAnswer(words, { left: true, late: TIMES_UP.test(code), cause: error });
}

function textAt(error: unknown, name: 'code' | 'syscall' | 'message'): string {
  const value = error instanceof Error ? (error as Error & Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : '';
}
