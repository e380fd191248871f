// The service that receives the demo's webhooks: it belongs to somebody else, is not always available, and checks who calls it.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { inBackground } from '../../server/faults/background.ts';
import type { OnFault } from '../../server/faults/onFault.ts';
import { createHttpServer } from '../../server/faults/sockets.ts';

const BODY_MAX_BYTES = 64 * 1024;
/** Maximum age of a call, since older calls may be replayed by an eavesdropper. */
const MAX_AGE_SECONDS = 300;

/** The first call is refused, as by a service that is just starting. The caller closes the server. */
export function createWebhookSink(secret: string, onFault: OnFault): Server {
  let isReady = false;
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    if (!isReady) {
      isReady = true;
      return answer(response, 503, 'Starting. Try again.');
    }
    if (body === undefined || !isSigned(request, body, secret)) return answer(response, 401, 'Wrong signature.');
    return answer(response, 200, 'Taken.');
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void =>
    inBackground('a webhook could not be taken', take(request, response), onFault);
  return createHttpServer({}, listener, onFault);
}

/** Undefined for a body that is too long. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    const data = part as Buffer;
    bytes += data.length;
    if (bytes > BODY_MAX_BYTES) return undefined;
    parts.push(data);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Whether a call is signed as docs/notifications.md describes it to anyone who takes webhooks. */
function isSigned({ headers }: Pick<IncomingMessage, 'headers'>, body: string, secret: string): boolean {
  const timestamp = String(headers['x-fleetglass-timestamp'] ?? '');
  const given = Buffer.from(String(headers['x-fleetglass-signature'] ?? ''));
  const expected = Buffer.from(`v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`);
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  return ageSeconds <= MAX_AGE_SECONDS && given.length === expected.length && timingSafeEqual(given, expected);
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}
