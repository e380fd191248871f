// What the stand-in checks signatures with, against the examples that AWS has published, and the product against it.
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
import { expect, it } from 'vitest';
import { signatureComplaint } from '../../../support/backup/bucket/signatureV4.ts';

const KEY = {
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
const AT = Date.UTC(2013, 4, 24);
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

interface Example {
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly sha256?: string;
  readonly signature: string;
}

function callOf({ method, target, headers = {}, sha256 = EMPTY, signature }: Example) {
  const all = {
    host: 'examplebucket.s3.amazonaws.com',
    ...headers,
    'x-amz-content-sha256': sha256,
    'x-amz-date': '20130524T000000Z',
  };
  const names = Object.keys(all).sort().join(';');
  const credential = `${KEY.accessKey}/20130524/us-east-1/s3/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential},SignedHeaders=${names},Signature=${signature}`;
  return { method, target, headers: { ...all, authorization }, bodySha256: sha256 };
}

const GET: Example = {
  method: 'GET',
  target: '/test.txt',
  headers: { range: 'bytes=0-9' },
  signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
};
const EXAMPLES: readonly Example[] = [
  GET,
  {
    method: 'PUT',
    target: '/test%24file.text',
    headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    sha256: '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    method: 'GET',
    target: '/?lifecycle',
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    method: 'GET',
    target: '/?max-keys=2&prefix=J',
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
];

it.each(EXAMPLES)('takes the published example $method $target', (example) => {
  expect(signatureComplaint(callOf(example), KEY, AT)).toBeUndefined();
});

it('refuses what is not as it was signed', () => {
  const call = callOf(GET);
  const { headers } = call;
  expect(signatureComplaint({ ...call, target: '/test.txt?a=b' }, KEY, AT)).toBe('SignatureDoesNotMatch');
  expect(signatureComplaint({ ...call, method: 'PUT' }, KEY, AT)).toBe('SignatureDoesNotMatch');
  expect(signatureComplaint({ ...call, headers: { ...headers, range: 'bytes=0-8' } }, KEY, AT)).toBe(
    'SignatureDoesNotMatch',
  );
  expect(signatureComplaint({ ...call, headers: { ...headers, 'x-amz-acl': 'public' } }, KEY, AT)).toBe('AccessDenied');
  expect(signatureComplaint({ ...call, headers: {} }, KEY, AT)).toBe('AccessDenied');
  expect(signatureComplaint({ ...call, bodySha256: '00' }, KEY, AT)).toBe('XAmzContentSHA256Mismatch');
  expect(signatureComplaint(call, { ...KEY, secretKey: 'another' }, AT)).toBe('SignatureDoesNotMatch');
  expect(signatureComplaint(call, { ...KEY, accessKey: 'another' }, AT)).toBe('InvalidAccessKeyId');
  expect(signatureComplaint(call, KEY, AT + 16 * 60_000)).toBe('RequestTimeTooSkewed');
});
