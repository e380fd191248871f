// Answers in the gateway's place while it is closed: tells every page and every call that a backup is being restored, and whatever
// would otherwise end the process that it lives.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OnFault } from '../../../faults/onFault.ts';
import { listenOn } from '../../../faults/sockets.ts';
import { CONNECTION_TIMES, type ConnectionGuard } from '../../kernel/connections.ts';
import { ok, type Refusal } from '../../kernel/envelope.ts';
import { securityHeaders } from '../../kernel/headers.ts';
import { createMainServer } from '../../kernel/httpServer.ts';
import { restoringNotice } from '../../pages/notice.ts';
import type { KeyAndCertificate } from '../../tls/selfSigned.ts';

export interface RestoringServerDeps extends ConnectionGuard {
  readonly host: string;
  readonly port: number;
  readonly frameAncestors: readonly string[];
  readonly tls: KeyAndCertificate | undefined;
  readonly onFault: OnFault;
}

export interface RestoringServer {
  close(): Promise<void>;
}

const RESTORING: Refusal = {
  status: 503,
  code: 'restoring',
  message: 'A backup is being restored. Try again when it is done.',
};
const RETRY_AFTER_S = 5;
/** Whoever restarts a process that doesn't answer here would kill it in the middle of a restore. */
const HEALTH_PATH = '/healthz';
const JSON_TYPE = 'application/json; charset=utf-8';

/** Rejects when the port can't be had. */
export async function startRestoringServer(deps: RestoringServerDeps): Promise<RestoringServer> {
  const { host, port, frameAncestors } = deps;
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    answerRestoring(request, response, frameAncestors);
  const { server } = createMainServer(answer, { ...deps, times: CONNECTION_TIMES, requestClass: undefined });
  await listenOn(server, host, port);
  return {
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answerRestoring(
  { url = '', headers }: IncomingMessage,
  response: ServerResponse,
  frameAncestors: readonly string[],
): void {
  const common = {
    ...securityHeaders('page', frameAncestors),
    'cache-control': 'no-store',
    // Each connection is needed by the gateway that comes next.
    connection: 'close',
  };
  if (url.split('?')[0] === HEALTH_PATH) {
    response.writeHead(200, { ...common, 'content-type': JSON_TYPE });
    response.end(JSON.stringify(ok({ alive: true })));
    return;
  }
  const { code, message, status } = RESTORING;
  const isPage = headers.accept?.includes('text/html') === true && !url.startsWith('/api/');
  response.writeHead(status, {
    ...common,
    'retry-after': String(RETRY_AFTER_S),
    'content-type': isPage ? 'text/html; charset=utf-8' : JSON_TYPE,
  });
  response.end(isPage ? restoringNotice(headers['accept-language']) : JSON.stringify({ error: true, code, message }));
}
