// Checks AWS Signature Version 4 as a service does, by its documentation and none of the product's code.
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
import { createHash, createHmac } from 'node:crypto';

export interface SignedCall {
  readonly method: string;
  /** The target as it stands in the request's first line. */
  readonly target: string;
  /** Headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Hash of the body that came, in hex. */
  readonly bodySha256: string;
}

export interface SigningKey {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
}

export type SignatureComplaint =
  | 'AccessDenied'
  | 'InvalidAccessKeyId'
  | 'AuthorizationHeaderMalformed'
  | 'RequestTimeTooSkewed'
  | 'SignatureDoesNotMatch'
  | 'XAmzContentSHA256Mismatch';

const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z\d;-]+), ?Signature=([\da-f]{64})$/;
const MAX_SKEW_MS = 15 * 60_000;

export function signatureComplaint(call: SignedCall, key: SigningKey, nowMs: number): SignatureComplaint | undefined {
  const { headers, bodySha256 } = call;
  const [, accessKey, day = '', region, names = '', signature] = FORM.exec(headers.authorization ?? '') ?? [];
  const time = headers['x-amz-date'] ?? '';
  const payload = headers['x-amz-content-sha256'] ?? '';
  const signed = names.split(';');
  const mustBeSigned = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
  if (accessKey === undefined || mustBeSigned.some((name) => !signed.includes(name))) return 'AccessDenied';
  if (accessKey !== key.accessKey) return 'InvalidAccessKeyId';
  if (region !== key.region || !time.startsWith(day)) return 'AuthorizationHeaderMalformed';
  if (!(Math.abs(readTime(time) - nowMs) <= MAX_SKEW_MS)) return 'RequestTimeTooSkewed';
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonicalRequest(call, signed, payload))].join('\n');
  const signingKey = [day, region, 's3', 'aws4_request'].reduce<Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    Buffer.from(`AWS4${key.secretKey}`),
  );
  if (createHmac('sha256', signingKey).update(text).digest('hex') !== signature) return 'SignatureDoesNotMatch';
  return payload === bodySha256 ? undefined : 'XAmzContentSHA256Mismatch';
}

function canonicalRequest({ method, target, headers }: SignedCall, signed: readonly string[], payload: string): string {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  const pairs = query.split('&').filter((pair) => pair !== '');
  const canonicalQuery = pairs.map(canonicalPair).sort().join('&');
  const lines = signed.map((name) => `${name}:${(headers[name] ?? '').trim().replaceAll(/ +/g, ' ')}\n`);
  const canonicalPath = path.split('/').map(encoded).join('/');
  return [method, canonicalPath, canonicalQuery, lines.join(''), signed.join(';'), payload].join('\n');
}

function canonicalPair(pair: string): string {
  const [name = '', value = ''] = pair.split(/=(.*)/s);
  return `${encoded(name)}=${encoded(value)}`;
}

/** Encodes everything but the unreserved characters of RFC 3986. */
function encoded(text: string): string {
  return encodeURIComponent(decodeURIComponent(text)).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function readTime(text: string): number {
  const [, date, hours] = /^(\d{8})T(\d{6})Z$/.exec(text) ?? [];
  if (date === undefined || hours === undefined) return Number.NaN;
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
  return Date.parse(`${day}T${hours.slice(0, 2)}:${hours.slice(2, 4)}:${hours.slice(4)}Z`);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
