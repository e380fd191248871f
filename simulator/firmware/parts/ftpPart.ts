import type { Socket } from 'node:net';
import { inBackground } from '../../../server/faults/background.ts';
import { FtpClient } from '../../ftp/ftpClient.ts';
import { reportFault } from '../../reportFault.ts';
import type { PartEnd, PartFetch, PartRequest } from './part.ts';

const FTP_PORT = 21;

/** FTP has no ranges: the rest is asked for (REST), and the connection closed when enough of it has come. */
export const fetchFtpPart: PartFetch = (request) => {
  const { hostname, port } = request.source.url;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const client = new FtpClient({ host, port: port === '' ? FTP_PORT : Number(port), isActive: false });
  const fetched = fetchPart(client, request).then(request.onEnd);
  inBackground('a download of the simulator', fetched, reportFault);
  return () => client.close();
};

/** Closes the client. */
async function fetchPart(client: FtpClient, { source, from, bytes, onChunk }: PartRequest): Promise<PartEnd> {
  try {
    if (!(await client.signIn(source))) return 'failed';
    const path = decodeURIComponent(source.url.pathname);
    const size = await client.ask(`SIZE ${path}`);
    if (size.code !== 213) return 'failed';
    const restBytes = Number(size.text.slice(4)) - from;
    if (restBytes <= 0) return 'whole';
    if (from > 0 && (await client.ask(`REST ${from}`)).code !== 350) return 'failed';
    const data = await client.openData(`RETR ${path}`);
    if (data === undefined) return 'failed';
    const wantedBytes = bytes > 0 ? Math.min(bytes, restBytes) : restBytes;
    if ((await receive(data, wantedBytes, onChunk)) < wantedBytes) return 'failed';
    if (wantedBytes < restBytes) return 'more';
    return (await client.ask()).code === 226 ? 'whole' : 'failed';
  } finally {
    client.close();
  }
}

/** Gives how many of the bytes have come. */
function receive(data: Socket, wantedBytes: number, onChunk: PartRequest['onChunk']): Promise<number> {
  return new Promise((resolve) => {
    let receivedBytes = 0;
    data.on('data', (chunk: Buffer) => {
      const taken = chunk.subarray(0, wantedBytes - receivedBytes);
      if (taken.length === 0) return;
      receivedBytes += taken.length;
      onChunk(taken);
      if (receivedBytes === wantedBytes) resolve(receivedBytes);
    });
    data.once('close', () => resolve(receivedBytes));
    if (data.destroyed) resolve(receivedBytes);
  });
}
