// The bucket for copies of backups: the S3 calls that copies need, each signed (AWS Signature Version 4).
// Only the signature is a package's (aws4fetch), since that is easy to get wrong. The AWS SDK is eleven packages for eight calls, and has
// retries and time-outs of its own; with `fetch` of Node nobody can set the time-out of a connection.
// https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import type { BucketAnswer, BucketResult } from './bucketAnswer.ts';
import { completionOf, failureOf, uploadIdIn, uploadIdsIn } from './bucketAnswer.ts';
import { type BucketMeans, SHA256_HEADER, sendSigned } from './bucketRequest.ts';

export interface BucketAddress {
  /** URL without a path. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** '' for none; without a slash at either end. */
  readonly prefix: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

export interface BucketDeps extends BucketMeans {
  readonly address: BucketAddress;
  /** The service refuses signatures whose time is more than 15 minutes from its own. */
  readonly now: () => number;
}

export interface CopyFound {
  readonly bytes: number | undefined;
  /** '' where the service doesn't keep it. */
  readonly sha256: string;
}

/** An upload that was begun. */
export interface OpenUpload {
  readonly file: string;
  readonly id: string;
}

export interface UploadPart {
  /** From 1. */
  readonly number: number;
  readonly body: Uint8Array;
  /** In hex. */
  readonly sha256: string;
}

interface Call {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Undefined: the call is about the bucket itself. */
  readonly file?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Hash of the body, in hex, where it is known. */
  readonly sha256?: string;
}

const NOTHING = new Uint8Array();
const NOT_FOUND = 404;
/** Maximum of abandoned uploads of one copy, each left by a crash. Further ones are found the next time. */
const MAX_LEFTOVERS = 20;

export class Bucket {
  readonly #deps: BucketDeps;

  constructor(deps: BucketDeps) {
    this.#deps = deps;
  }

  /** Undefined: there is no file of this name. */
  async find(file: string, signal: AbortSignal): Promise<BucketResult<CopyFound | undefined>> {
    const answer = await this.#answer({ method: 'HEAD', file }, signal);
    if (answer.ok && answer.value.status === NOT_FOUND) return { ok: true, value: undefined };
    return resultOf(answer, ({ bytes, sha256 }) => ({ bytes, sha256 }));
  }

  /** Uploads of this copy that a crash has left: services keep the parts that were sent, and some charge for them. */
  async leftovers(file: string, signal: AbortSignal): Promise<BucketResult<readonly OpenUpload[]>> {
    const key = this.#keyOf(file);
    const query = { uploads: '', prefix: key, 'max-uploads': String(MAX_LEFTOVERS) };
    const answer = await this.#answer({ method: 'GET', query }, signal);
    return resultOf(answer, ({ text }) => uploadIdsIn(text, key).map((id) => ({ file, id })));
  }

  async begin(file: string, sha256: string, signal: AbortSignal): Promise<BucketResult<OpenUpload>> {
    const headers = { [SHA256_HEADER]: sha256, 'content-type': 'application/octet-stream' };
    const answer = await this.#answer({ method: 'POST', file, query: { uploads: '' }, headers }, signal);
    const begun = resultOf(answer, ({ text }) => uploadIdIn(text));
    if (!begun.ok) return begun;
    if (begun.value !== undefined) return { ok: true, value: { file, id: begun.value } };
    return {
      ok: false,
      fault: 'copy-refused',
      detail: 'the answer has no upload ID: this is no S3-compatible service',
    };
  }

  /** Returns the ETag of the part. */
  async put({ file, id }: OpenUpload, part: UploadPart, signal: AbortSignal): Promise<BucketResult<string>> {
    const { number, body, sha256 } = part;
    const query = { partNumber: String(number), uploadId: id };
    return resultOf(await this.#answer({ method: 'PUT', file, query, body, sha256 }, signal), ({ etag }) => etag);
  }

  async complete(upload: OpenUpload, etags: readonly string[], signal: AbortSignal): Promise<BucketResult<void>> {
    const { file, id } = upload;
    const body = Buffer.from(completionOf(etags));
    const headers = { 'content-type': 'application/xml' };
    const answer = await this.#answer({ method: 'POST', file, query: { uploadId: id }, headers, body }, signal);
    return resultOf(answer, () => undefined);
  }

  /** Ends the upload. None of its parts stays. */
  async abort({ file, id }: OpenUpload, signal: AbortSignal): Promise<BucketResult<void>> {
    return resultOf(await this.#answer({ method: 'DELETE', file, query: { uploadId: id } }, signal), () => undefined);
  }

  /** A missing file is fine. */
  async remove(file: string, signal: AbortSignal): Promise<BucketResult<void>> {
    const answer = await this.#answer({ method: 'DELETE', file }, signal);
    if (answer.ok && answer.value.status === NOT_FOUND && !/NoSuchBucket/.test(answer.value.text))
      return { ok: true, value: undefined };
    return resultOf(answer, () => undefined);
  }

  /** The answer, whatever its status is. Rejects with the signal's reason only. */
  async #answer(call: Call, signal: AbortSignal): Promise<BucketResult<BucketAnswer>> {
    const request = await this.#signed(call);
    try {
      return { ok: true, value: await sendSigned(request, this.#deps, signal) };
    } catch (error) {
      signal.throwIfAborted();
      const detail = error instanceof Error ? error.message : String(error);
      return { ok: false, fault: 'copy-unreachable', detail };
    }
  }

  #keyOf(file: string): string {
    const { prefix } = this.#deps.address;
    return prefix === '' ? file : `${prefix}/${file}`;
  }

  async #signed({ method, file, query = {}, headers = {}, body = NOTHING, sha256 = hashOf(body) }: Call) {
    const { address, now } = this.#deps;
    const { endpoint, region, bucket, accessKey, secretKey } = address;
    const url = new URL([endpoint, bucket, ...(file === undefined ? [] : [this.#keyOf(file)])].join('/'));
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signer = new AwsV4Signer({
      ...{ method, url: url.href, region, service: 's3', accessKeyId: accessKey, secretAccessKey: secretKey },
      headers: { ...headers, 'x-amz-content-sha256': sha256 },
      datetime: new Date(now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
    });
    const signed = await signer.sign();
    return { method, url, headers: Object.fromEntries(signed.headers), body };
  }
}

function resultOf<Value>(
  answer: BucketResult<BucketAnswer>,
  read: (answer: BucketAnswer) => Value,
): BucketResult<Value> {
  if (!answer.ok) return answer;
  return failureOf(answer.value) ?? { ok: true, value: read(answer.value) };
}

function hashOf(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}
