import type { IncomingMessage } from 'node:http';
import { openRequest } from '../../../server/faults/requests.ts';
import { reportFault } from '../../reportFault.ts';
import type { PartEnd, PartFetch, PartRequest } from './part.ts';

const PARTIAL = 206;
const WHOLE = 200;
const BEHIND_THE_END = 416;

export const fetchHttpPart: PartFetch = ({ source: { url }, from, bytes, onRestart, onChunk, onEnd }) => {
  const to = bytes > 0 ? String(from + bytes - 1) : '';
  const isPart = from > 0 || bytes > 0;
  const request = openRequest(
    {
      protocol: url.protocol,
      host: url.hostname,
      port: url.port,
      path: url.pathname,
      agent: false,
      ...(isPart && { headers: { range: `bytes=${from}-${to}` } }),
    },
    reportFault,
  );
  let response: IncomingMessage | undefined;
  let receivedBytes = from;
  request.on('response', (came) => {
    response = came;
    if (came.statusCode !== WHOLE && came.statusCode !== PARTIAL) {
      came.resume();
      return;
    }
    if (came.statusCode === WHOLE) onRestart();
    came.on('data', (chunk: Uint8Array) => {
      receivedBytes += chunk.length;
      onChunk(chunk);
    });
  });
  request.on('close', () => onEnd(endOf(response, from, receivedBytes)));
  request.end();
  return () => request.destroy();
};

function endOf(response: IncomingMessage | undefined, from: PartRequest['from'], receivedBytes: number): PartEnd {
  if (from > 0 && response?.statusCode === BEHIND_THE_END) return 'whole';
  if (response?.complete !== true) return 'failed';
  if (response.statusCode === WHOLE) return 'whole';
  if (response.statusCode !== PARTIAL) return 'failed';
  // `Content-Range: bytes 0-99/1000` says how long it is.
  const [, total] = /\/(\d+)$/.exec(response.headers['content-range'] ?? '') ?? [];
  return total === undefined || receivedBytes >= Number(total) ? 'whole' : 'more';
}
