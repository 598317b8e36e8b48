// Recognises pages to log in, with which some services answer an unknown caller instead of a 401.
import type { Response } from './transport.ts';

const PAGE = /^\s*(text\/html|application\/xhtml\+xml)\b/i;
const LOGIN_PATH = /log[-_]?[io]n|sign[-_]?[io]n|saml|oauth|\bsso\b|\/auth/i;
const PASSWORD_INPUT = /<input\b[^<>]{0,999}\btype\s*=\s*["']?password/i;
const LOGIN_TITLE = /<title>[^<]{0,200}(log|sign)[ -]?[io]n\b/i;

/** Is the body a page for people? */
export const isPage = ({ headers }: Pick<Response, 'headers'>): boolean => PAGE.test(headers['content-type'] ?? '');

/** Is it a redirect to a page to log in, or such a page? A 403 is none: a service that sends one knows its caller. */
export function isLoginPage({ status, headers, bytes }: Response): boolean {
  if (status >= 300 && status < 400) return LOGIN_PATH.test(pathOf(headers.location ?? ''));
  if (!isPage({ headers }) || status === 403) return false;
  const text = new TextDecoder().decode(bytes);
  return PASSWORD_INPUT.test(text) || LOGIN_TITLE.test(text);
}

/** Without the host, and without the way back. */
const pathOf = (location: string): string => location.replace(/^https?:\/\/[^/]*/i, '').replace(/\?.*$/s, '');
