// How much of anything one caller may take of the endpoint.

export interface Limits {
  /** Bytes of the request line and all headers. */
  readonly headers: number;
  /** Characters of the address with its query. */
  readonly address: number;
  readonly connections: number;
  /** Milliseconds until the headers must be there, until the whole request must be, and of silence between two requests. */
  readonly headersMs: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
  /** Failed logins a minute: of one user from one address, and of one address. */
  readonly loginsOfUser: number;
  readonly loginsOfAddress: number;
}

export const SERVER_LIMITS: Limits = {
  headers: 16 * 1024,
  address: 8 * 1024,
  connections: 512,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 5_000,
  loginsOfUser: 5,
  loginsOfAddress: 20,
};
