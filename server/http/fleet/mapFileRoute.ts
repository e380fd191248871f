// The street map's file, in parts: the page reads of it what it shows.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { guardStream } from '../../faults/streams.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { type ByteRange, byteRangeOf } from '../kernel/byteRange.ts';
import { ErrorAnswers, Refused, refuse } from '../kernel/envelope.ts';
import type { MapFile, OpenMapFile } from './mapFile.ts';

export interface MapFileDeps {
  /** Undefined where none is configured. */
  readonly mapFile: MapFile | undefined;
  readonly onLimit: OnLimit;
}

export const MAP_FILE_PATH = '/api/dashboard/map/file';
/**
 * Size of one answer from the street map's file. A longer range is answered with its first part; a request for the whole of a larger file
 * is refused with 400.
 */
export const MAP_PART_LIMIT: Limit = { name: 'http.map-part.bytes', max: 8 * 1024 * 1024 };

const UNREADABLE = {
  status: 503,
  code: 'map-unreadable',
  message: "Can't read the street map. The server log has the cause.",
} as const;
const TOO_LARGE = { ...Refused.badRequest, message: 'The file is too large for one answer. Request a range of bytes.' };
const BEYOND_END = {
  ...Refused.badRequest,
  status: 416,
  message: 'The range begins beyond the end of the file. Request an earlier one.',
};

export async function registerMapFile(app: FastifyInstance, { mapFile, onLimit }: MapFileDeps): Promise<void> {
  app.get(
    MAP_FILE_PATH,
    {
      schema: { summary: "A part of the street map's file (PMTiles)", response: ErrorAnswers },
      config: { access: { kind: 'signed-in' } },
      // Fastify would read the file to its end to answer one.
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      if (mapFile === undefined) return refuse(reply, Refused.notFound);
      const opened = await mapFile.open();
      if (opened === undefined) return refuse(reply, UNREADABLE);
      return answer(request, reply, { opened, onLimit });
    },
  );
}

interface Opened {
  readonly opened: OpenMapFile;
  readonly onLimit: OnLimit;
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { opened, onLimit }: Opened,
): Promise<FastifyReply> {
  const { handle, size, etag } = opened;
  reply.headers({ etag, 'accept-ranges': 'bytes' });
  const part = byteRangeOf(request.headers, opened);
  if (part === 'unsatisfiable') {
    await handle.close();
    return refuse(reply.header('content-range', `bytes */${size}`), BEYOND_END);
  }
  if (part === 'whole') {
    if (size <= MAP_PART_LIMIT.max) return send(reply, opened, { from: 0, to: size - 1 });
    await handle.close();
    onLimit(MAP_PART_LIMIT);
    return refuse(reply, TOO_LARGE);
  }
  const { from } = part;
  const to = Math.min(part.to, from + MAP_PART_LIMIT.max - 1);
  // The standard lets a server answer with less than the range; what it has sent stands in `Content-Range`.
  if (to < part.to) onLimit(MAP_PART_LIMIT);
  reply.code(206).header('content-range', `bytes ${from}-${to}/${size}`);
  return send(reply, opened, { from, to });
}

/** Hands the handle over to the answer, which closes it however it ends. */
function send(reply: FastifyReply, { handle }: OpenMapFile, { from, to }: ByteRange): FastifyReply {
  const length = to - from + 1;
  const part = guardStream(handle.createReadStream({ start: from, end: to }));
  // A file that was cut shorter meanwhile: without an end to the connection the browser would wait for the rest.
  part.once('end', () => {
    if (part.bytesRead < length) reply.raw.destroy();
  });
  return reply.header('content-length', length).type('application/octet-stream').send(part);
}
