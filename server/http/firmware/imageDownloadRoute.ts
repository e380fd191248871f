// The address where terminals download images: it contains a secret, which the kernel has found before the handler runs.
import { open } from 'node:fs/promises';
import { addAbortSignal, pipeline, Transform } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { guardStream } from '../../faults/streams.ts';
import { IMAGE_DOWNLOAD_PATH } from '../../firmware/images/imageAddress.ts';
import type { TerminalDownload } from '../../firmware/images/imageLinkTable.ts';
import { undefinedIfMissing } from '../../uploads/fileHash.ts';
import { type ByteRange, byteRangeOf } from '../kernel/byteRange.ts';
import { type Refusal, Refused, refuse } from '../kernel/envelope.ts';

const BEYOND_END = {
  ...Refused.badRequest,
  status: 416,
  message: 'The range begins beyond the end of the file. Request an earlier one.',
};
const TOO_MANY_DOWNLOADS: Refusal = {
  status: 503,
  code: 'slow-down',
  message: 'Too many attempts. Wait a moment and try again.',
};
const config = { access: { kind: 'terminal' } } as const;

/** `GET /firmware/:token`, and `HEAD`, which takes none of the places for connections. */
export function registerImageDownload(app: FastifyInstance): void {
  const url = `${IMAGE_DOWNLOAD_PATH}:token`;
  const params = Type.Object({ token: Type.String() });
  const schema = { summary: 'A firmware image, for the terminal that was given the address', params };
  app.get(url, { schema, config, exposeHeadRoute: false }, (request, reply) => {
    const download = downloadOf(request);
    const part = prepare(request, reply, download);
    if (part === 'unsatisfiable') return refuse(reply, BEYOND_END);
    return send(reply, download, part);
  });
  app.head(url, { schema, config }, async (request, reply) => {
    const part = prepare(request, reply, downloadOf(request));
    if (part === 'unsatisfiable') return reply.code(BEYOND_END.status).send();
    return reply.header('content-length', part.to - part.from + 1).send();
  });
}

function downloadOf({ terminalDownload }: FastifyRequest): TerminalDownload {
  if (terminalDownload === undefined) throw new Error('the route declares no access that finds its download');
  return terminalDownload;
}

/** Writes the headers, and says which part is wanted. */
function prepare(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { image: { sha256, bytes } }: TerminalDownload,
): ByteRange | 'unsatisfiable' {
  const etag = `"${sha256}"`;
  reply.headers({ etag, 'accept-ranges': 'bytes', 'cache-control': 'no-store' }).type('application/octet-stream');
  const part = byteRangeOf(headers, { size: bytes, etag });
  if (part === 'unsatisfiable') {
    reply.header('content-range', `bytes */${bytes}`);
    return part;
  }
  if (part === 'whole') return { from: 0, to: bytes - 1 };
  reply.code(206).header('content-range', `bytes ${part.from}-${part.to}/${bytes}`);
  return part;
}

async function send(reply: FastifyReply, download: TerminalDownload, { from, to }: ByteRange): Promise<FastifyReply> {
  const leave = download.enter();
  if (leave === undefined) return refuse(reply.header('retry-after', 30), TOO_MANY_DOWNLOADS);
  reply.raw.once('close', leave);
  const handle = await open(download.image.file, 'r').catch(undefinedIfMissing);
  if (handle === undefined) return refuse(reply, Refused.notFound);
  const file = guardStream(handle.createReadStream({ start: from, end: to }));
  const counted = countBytes(from, download);
  // However it ends, both are destroyed, the file's handle with them; the answer finds its stream destroyed.
  pipeline(addAbortSignal(download.signal, file), counted, () => undefined);
  return reply.header('content-length', to - from + 1).send(counted);
}

function countBytes(from: number, { image, onBytes, beforeEnd }: TerminalDownload): Transform {
  let offset = from;
  const pass = async (chunk: Buffer): Promise<Buffer> => {
    const isEnd = offset + chunk.length >= image.bytes;
    if (isEnd && !(await beforeEnd())) throw new Error('the delivery has ended');
    onBytes(offset, chunk.length);
    offset += chunk.length;
    return chunk;
  };
  return guardStream(
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        pass(chunk).then((passed) => done(null, passed), done);
      },
    }),
  );
}
