// The certificate that the gateway serves with: given as files, or made here and kept.

import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { dirname } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Config } from '../../config/variables.ts';
import { installationPath } from '../../installation.ts';
import { createSelfSigned, type KeyAndCertificate } from './selfSigned.ts';

type TlsConfig = Pick<Config, 'tls' | 'tlsCert' | 'tlsKey' | 'dataDir' | 'publicHost'>;

const DAY_MS = 24 * 60 * 60 * 1000;
/** Some systems refuse certificates that are valid for longer, also those that their user has trusted. */
const VALID_MS = 800 * DAY_MS;
/** One that ends sooner than this is replaced at the start. */
const RENEW_BEFORE_MS = 60 * DAY_MS;
/** A terminal's or browser's clock may lag behind ours. */
const CLOCK_LAG_MS = DAY_MS;

/** Undefined when the gateway serves plain HTTP. Throws, naming the variable, when the files are of no use. */
export function loadTls(config: TlsConfig, nowMs: number): KeyAndCertificate | undefined {
  if (config.tlsCert !== undefined && config.tlsKey !== undefined) {
    return readPair(config.tlsCert, config.tlsKey);
  }
  return config.tls === 'self-signed' ? keptOrNew(config, nowMs) : undefined;
}

function readPair(certFile: string, keyFile: string): KeyAndCertificate {
  const pair = { cert: readNamed('TLS_CERT', certFile), key: readNamed('TLS_KEY', keyFile) };
  try {
    createSecureContext(pair);
  } catch (cause) {
    throw new Error('TLS_CERT and TLS_KEY take a certificate and its private key as PEM files', { cause });
  }
  return pair;
}

function readNamed(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Error(`${variable} takes the path of a file that can be read`, { cause });
  }
}

function keptOrNew(config: TlsConfig, nowMs: number): KeyAndCertificate {
  const certFile = installationPath(config, 'tlsCertificate');
  const keyFile = installationPath(config, 'tlsKey');
  if (existsSync(certFile) && existsSync(keyFile)) {
    const kept = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
    if (Date.parse(new X509Certificate(kept.cert).validTo) - nowMs > RENEW_BEFORE_MS) return kept;
  }
  const made = createSelfSigned({
    hosts: ownHosts(config.publicHost),
    fromMs: nowMs - CLOCK_LAG_MS,
    toMs: nowMs - CLOCK_LAG_MS + VALID_MS,
  });
  mkdirSync(dirname(keyFile), { recursive: true, mode: 0o700 });
  // The key first: a certificate without its key would be kept, and be of no use.
  replaceFile(keyFile, made.key, 0o600);
  replaceFile(certFile, made.cert, 0o644);
  return made;
}

function replaceFile(file: string, text: string, mode: number): void {
  writeFileSync(`${file}.new`, text, { mode });
  renameSync(`${file}.new`, file);
}

/** What browsers may reach this machine by. */
function ownHosts(publicHost: string | undefined): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
  const plain = addresses.filter((address) => !address.includes('%'));
  const named = publicHost === undefined ? [] : [publicHost];
  return [...new Set([...named, 'localhost', hostname(), '127.0.0.1', '::1', ...plain])];
}
