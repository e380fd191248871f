// A service with one bucket that checks signatures and takes uploads in parts as S3 does, and fails as it is told.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { BucketAddress } from '../../../../server/backup/copy/bucket/bucket.ts';
import { type SignedCall, type SigningKey, signatureComplaint } from './signatureV4.ts';

export type BucketCall =
  | 'HeadObject'
  | 'ListMultipartUploads'
  | 'CreateMultipartUpload'
  | 'UploadPart'
  | 'CompleteMultipartUpload'
  | 'AbortMultipartUpload'
  | 'DeleteObject';

export interface SeenCall {
  readonly call: BucketCall;
  readonly key: string;
  /** 0 for calls that have none. */
  readonly part: number;
}

/** `late-error`: 200 with an error in the body. `silent`: no answer ever. */
export type Misbehavior = number | 'cut' | 'silent' | 'late-error' | { readonly body: string };

interface Upload {
  readonly key: string;
  readonly sha256: string;
  readonly parts: Map<number, { readonly etag: string; readonly body: Buffer }>;
}

const KEY: SigningKey = { accessKey: 'AKIDSTANDIN', secretKey: 'planted/SECRET+key', region: 'eu-north-7' };
const BUCKET = 'backups';
const MIN_PART_BYTES = 5 * 1024 * 1024;

export class StandInBucket {
  readonly objects = new Map<string, { readonly body: Buffer; readonly sha256: string }>();
  readonly uploads = new Map<string, Upload>();
  /** Calls that were let through by their signatures, in order. */
  readonly seen: SeenCall[] = [];
  readonly complaints: string[] = [];
  /** How to fail a call; undefined: not at all. */
  misbehave: (call: SeenCall) => Misbehavior | undefined = () => undefined;
  /** The most parts that came at once. */
  mostParts = 0;
  endpoint = '';
  #parts = 0;
  #count = 0;

  get address(): BucketAddress {
    return { ...KEY, endpoint: this.endpoint, bucket: BUCKET, prefix: '' };
  }

  calls(call: BucketCall): number {
    return this.seen.filter((each) => each.call === call).length;
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = callOf(request);
    const isPart = call?.call === 'UploadPart';
    if (isPart) this.mostParts = Math.max(this.mostParts, ++this.#parts);
    try {
      const body = await bodyOf(request);
      const complaint = signatureComplaint(signedCall(request, body), KEY, Date.now());
      if (complaint !== undefined) this.complaints.push(complaint);
      if (complaint !== undefined || call === undefined) return sayError(response, 403, complaint ?? 'AccessDenied');
      this.seen.push(call);
      const failure = this.misbehave(call);
      if (failure === undefined) this.#answer(call, { request, response, body });
      else fail(response, failure);
    } finally {
      if (isPart) this.#parts--;
    }
  }

  #answer({ call, key, part }: SeenCall, { request, response, body }: Exchange): void {
    if (call === 'CreateMultipartUpload') this.#begin(key, request, response);
    else if (call === 'ListMultipartUploads') this.#list(key, response);
    else if (call === 'HeadObject') this.#head(key, response);
    else if (call === 'DeleteObject') {
      this.objects.delete(key);
      response.writeHead(204).end();
    } else this.#answerOf({ call, key, part }, { request, response, body });
  }

  /** Answers a call about an upload that was begun. */
  #answerOf({ call, key, part }: SeenCall, { request, response, body }: Exchange): void {
    const uploadId = new URL(request.url ?? '', 'http://x').searchParams.get('uploadId') ?? '';
    const upload = this.uploads.get(uploadId);
    if (upload?.key !== key) sayError(response, 404, 'NoSuchUpload');
    else if (call === 'AbortMultipartUpload') {
      this.uploads.delete(uploadId);
      response.writeHead(204).end();
    } else if (call === 'CompleteMultipartUpload') this.#complete(uploadId, upload, response, body);
    else {
      const etag = `"${createHash('md5').update(body).digest('hex')}"`;
      upload.parts.set(part, { etag, body });
      response.writeHead(200, { etag }).end();
    }
  }

  #begin(key: string, request: IncomingMessage, response: ServerResponse): void {
    // The ID has to be escaped in both ways.
    const id = `id/${++this.#count}+<&>`;
    this.uploads.set(id, { key, sha256: String(request.headers['x-amz-meta-sha256'] ?? ''), parts: new Map() });
    response.end(`<InitiateMultipartUploadResult><UploadId>${escaped(id)}</UploadId></InitiateMultipartUploadResult>`);
  }

  #head(key: string, response: ServerResponse): void {
    const object = this.objects.get(key);
    if (object === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-length': object.body.length, 'x-amz-meta-sha256': object.sha256 }).end();
  }

  #list(prefix: string, response: ServerResponse): void {
    const found = [...this.uploads].filter(([, { key }]) => key.startsWith(prefix));
    const shown = found.map(([id, { key }]) => `<Upload><Key>${key}</Key><UploadId>${escaped(id)}</UploadId></Upload>`);
    response.end(`<ListMultipartUploadsResult>${shown.join('')}</ListMultipartUploadsResult>`);
  }

  #complete(id: string, upload: Upload, response: ServerResponse, body: Buffer): void {
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>&quot;(\w+)&quot;<\/ETag>/g)];
    const parts = named.map(([, number, etag]) => ({ ...upload.parts.get(Number(number)), wanted: `"${etag}"` }));
    const bodies = parts.map((part) => (part.etag === part.wanted ? part.body : undefined));
    const whole = bodies.filter((part) => part !== undefined);
    const isTooSmall = whole.slice(0, -1).some(({ length }) => length < MIN_PART_BYTES);
    if (bodies.length === 0 || bodies.includes(undefined)) sayError(response, 400, 'InvalidPart');
    else if (isTooSmall) sayError(response, 400, 'EntityTooSmall');
    else {
      this.objects.set(upload.key, { body: Buffer.concat(whole), sha256: upload.sha256 });
      this.uploads.delete(id);
      response.end('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>');
    }
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
}

/** Opens a bucket that ends with the test. */
export async function openStandInBucket(): Promise<StandInBucket> {
  const bucket = new StandInBucket();
  const server = createServer((request, response) => {
    // A client that is gone is not a fault of the bucket.
    bucket.serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  bucket.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return bucket;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function callOf({ method, url = '' }: IncomingMessage): SeenCall | undefined {
  const { pathname, searchParams } = new URL(url, 'http://x');
  const prefix = searchParams.get('prefix') ?? '';
  if (method === 'GET' && pathname === `/${BUCKET}` && searchParams.has('uploads') && prefix !== '')
    return { call: 'ListMultipartUploads', key: prefix, part: 0 };
  const key = pathname.startsWith(`/${BUCKET}/`) ? pathname.slice(BUCKET.length + 2) : '';
  const hasUpload = searchParams.has('uploadId');
  const part = Number(searchParams.get('partNumber') ?? 0);
  const calls: Readonly<Record<string, BucketCall>> = {
    HEAD: 'HeadObject',
    PUT: 'UploadPart',
    POST: hasUpload ? 'CompleteMultipartUpload' : 'CreateMultipartUpload',
    DELETE: hasUpload ? 'AbortMultipartUpload' : 'DeleteObject',
  };
  const call = calls[method ?? ''];
  return call === undefined || key === '' ? undefined : { call, key, part };
}

function signedCall({ method = '', url = '', headers }: IncomingMessage, body: Buffer): SignedCall {
  const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return { method, target: url, headers: texts, bodySha256: createHash('sha256').update(body).digest('hex') };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function fail(response: ServerResponse, failure: Misbehavior): void {
  if (failure === 'cut') response.destroy();
  else if (failure === 'late-error') response.end('<Error><Code>InternalError</Code></Error>');
  else if (typeof failure === 'object') response.end(failure.body);
  else if (failure !== 'silent') sayError(response, failure, failure === 403 ? 'AccessDenied' : 'InternalError');
}

/** Sends an error as S3 does, including what was signed: none of that belongs in a log. */
function sayError(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<Error><Code>${code}</Code><AWSAccessKeyId>${KEY.accessKey}</AWSAccessKeyId></Error>`);
}
