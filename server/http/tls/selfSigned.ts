// A certificate that an installation signs for itself (RFC 5280, ECDSA on P-256). Node signs certificates and doesn't write
// them; the structures that one needs are less code than a package that writes all of them.
import { generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { bits, octets, oid, sequence, setOf, tagged, tagged8, time, truth, unsigned, utf8 } from './der.ts';

export interface KeyAndCertificate {
  /** PEM. */
  readonly key: string;
  /** PEM. */
  readonly cert: string;
}

export interface CertificateRequest {
  /** Host names and addresses that it is for; the first is the name it bears. */
  readonly hosts: readonly string[];
  readonly fromMs: number;
  readonly toMs: number;
}

/** Whether nobody else vouches for the certificate: one of ours, or one that an administrator made alike. */
export function signsItself(cert: string): boolean {
  const certificate = new X509Certificate(cert);
  return certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey);
}

const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));
const SERIAL_BYTES = 16;

export function createSelfSigned({ hosts, fromMs, toMs }: CertificateRequest): KeyAndCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(setOf(sequence(oid('2.5.4.3'), utf8((hosts[0] ?? 'localhost').slice(0, 64)))));
  const body = sequence(
    tagged(0, unsigned(Buffer.from([2]))), // version 3
    unsigned(randomBytes(SERIAL_BYTES)),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(fromMs), time(toMs)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(...extensions(hosts))),
  );
  const certificate = sequence(body, ECDSA_WITH_SHA256, bits(sign('sha256', body, privateKey)));
  return { key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })), cert: toPem(certificate) };
}

function extensions(hosts: readonly string[]): Buffer[] {
  const names = hosts.map((host) =>
    isIP(host) === 0 ? tagged8(2, Buffer.from(host)) : tagged8(7, addressBytes(host)),
  );
  return [
    sequence(oid('2.5.29.19'), truth(), octets(sequence())), // no authority over others
    sequence(oid('2.5.29.15'), truth(), octets(bits(Buffer.from([0x80]), 7))), // digital signature
    sequence(oid('2.5.29.37'), octets(sequence(oid('1.3.6.1.5.5.7.3.1')))), // server authentication
    sequence(oid('2.5.29.17'), octets(sequence(...names))),
  ];
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = address.split('::');
  const front = groups(head);
  const back = groups(tail ?? '');
  const zeros = Buffer.alloc(tail === undefined ? 0 : 16 - front.length - back.length);
  return Buffer.concat([front, zeros, back]);
}

function groups(text: string): Buffer {
  const parts = text === '' ? [] : text.split(':');
  return Buffer.from(parts.map((part) => part.padStart(4, '0')).join(''), 'hex');
}

function toPem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
