// Certificates for 127.0.0.1, made by openssl for one test run: good ones of an authority of our own, and bad ones.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Certificates {
  /** The authority that signed the others, as PEM. */
  readonly authority: string;
  readonly good: Certificate;
  readonly wrongName: Certificate;
  readonly expired: Certificate;
  readonly selfSigned: Certificate;
}

export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'pm-tls-'));
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const selfSign = (name: string, subject: string): void =>
    openssl(
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...['-subj', `/CN=${subject}`, '-addext', 'subjectAltName=IP:127.0.0.1'],
      ...['-keyout', `${name}.key`, '-out', `${name}.pem`],
    );
  const sign = (name: string, alt: string, ...validity: string[]): Certificate => {
    openssl(
      ...['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', `/CN=${name}`],
      ...['-keyout', `${name}.key`, '-out', `${name}.csr`],
    );
    writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${alt}\n`);
    openssl(
      ...['x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
      ...['-extfile', `${name}.ext`, '-out', `${name}.pem`, ...validity],
    );
    return { cert: read(`${name}.pem`), key: read(`${name}.key`) };
  };
  try {
    selfSign('ca', 'An authority of our own');
    selfSign('self', 'Self-signed');
    return {
      authority: read('ca.pem'),
      good: sign('good', 'IP:127.0.0.1', '-days', '2'),
      wrongName: sign('wrong', 'DNS:elsewhere.example', '-days', '2'),
      expired: sign('expired', 'IP:127.0.0.1', '-days', '-1'),
      selfSigned: { cert: read('self.pem'), key: read('self.key') },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
