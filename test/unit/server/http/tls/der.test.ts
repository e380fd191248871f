import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { der, oid, time, unsigned } from '../../../../../server/http/tls/der.ts';
import { createSelfSigned } from '../../../../../server/http/tls/selfSigned.ts';

describe('DER', () => {
  it.each([
    [0, '0400'],
    [127, '047f'],
    [128, '048180'],
    [255, '0481ff'],
    [256, '04820100'],
    [70_000, '0483011170'],
  ])('writes a length of %d bytes', (length, head) => {
    expect(
      der(0x04, Buffer.alloc(length))
        .subarray(0, head.length / 2)
        .toString('hex'),
    ).toBe(head);
  });

  it.each([
    ['00', '020100'],
    ['0000', '020100'],
    ['7f', '02017f'],
    ['80', '02020080'],
    ['000102', '02020102'],
  ])('writes the number %s', (bytes, expected) => {
    expect(unsigned(Buffer.from(bytes, 'hex')).toString('hex')).toBe(expected);
  });

  it.each([
    ['2.5.4.3', '0603550403'],
    ['1.2.840.10045.4.3.2', '06082a8648ce3d040302'],
    ['1.3.6.1.5.5.7.3.1', '06082b06010505070301'],
  ])('writes the identifier %s', (dotted, expected) => {
    expect(oid(dotted).toString('hex')).toBe(expected);
  });

  it('writes years from 2050 on in full', () => {
    expect(time(Date.UTC(2049, 11, 31, 23, 59, 59)).toString('latin1')).toBe('\x17\x0d491231235959Z');
    expect(time(Date.UTC(2050, 0, 1)).toString('latin1')).toBe('\x18\x0f20500101000000Z');
  });
});

describe('a certificate of our own', () => {
  const fromMs = Date.UTC(2026, 0, 1);
  const toMs = Date.UTC(2028, 0, 1);
  const made = createSelfSigned({ hosts: ['fleet.example', '192.0.2.1', '2001:db8::1', '::'], fromMs, toMs });
  const certificate = new X509Certificate(made.cert);

  it('is signed by its own key and belongs to it', () => {
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.subject).toBe('CN=fleet.example');
    expect(certificate.issuer).toBe('CN=fleet.example');
    expect(certificate.ca).toBe(false);
  });

  it('is for every host that it was asked for, and no other', () => {
    expect(certificate.checkHost('fleet.example')).toBe('fleet.example');
    expect(certificate.checkIP('192.0.2.1')).toBe('192.0.2.1');
    expect(certificate.checkIP('2001:db8::1')).toBe('2001:db8::1');
    expect(certificate.checkHost('other.example')).toBeUndefined();
    expect(certificate.checkIP('192.0.2.2')).toBeUndefined();
  });

  it('is valid for the time that was asked for', () => {
    expect(Date.parse(certificate.validFrom)).toBe(fromMs);
    expect(Date.parse(certificate.validTo)).toBe(toMs);
  });

  it('is another each time', () => {
    const again = new X509Certificate(createSelfSigned({ hosts: ['fleet.example'], fromMs, toMs }).cert);
    expect(again.serialNumber).not.toBe(certificate.serialNumber);
    expect(again.fingerprint256).not.toBe(certificate.fingerprint256);
  });
});
