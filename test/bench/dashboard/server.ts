// The built page with the product's own live updates behind it, and no device side.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { LiveUpdates } from '../../../server/fleet/updates/liveUpdates.ts';
import { createUpdatesServer } from '../../../server/fleet/updates/updatesServer.ts';
import { securityHeaders } from '../../../server/http/kernel/headers.ts';
import { UpgradeServer } from '../../../server/http/kernel/upgrades/upgradeServer.ts';
import { web } from '../../../server/setup/paths.mjs';
import { countFleet } from '../../../shared/protocol/api/liveUpdates.ts';
import { EVERY_TOPIC, fleetSources } from '../../support/fleetSources.ts';
import { MovingFleet } from './fleet.ts';

export interface DashboardServer {
  readonly address: string;
  readonly fleet: MovingFleet;
  close(): Promise<void>;
}

const LOCALES = join(import.meta.dirname, '../../../public/locales');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

export async function startDashboardServer(devices: number): Promise<DashboardServer> {
  const fleet = new MovingFleet(devices);
  const runAfter = (delayMs: number, run: () => void): (() => void) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  };
  const onFault = (error: Error): void => void process.stderr.write(`${error.stack}\n`);
  const { sources } = fleetSources(fleet);
  const updates = new LiveUpdates({ sources, deviceGroupsOf: async () => [1], runAfter, onFault });
  const sockets = createUpdatesServer({
    updates,
    runAfter,
    onFault,
    proofOf: () => ({ kind: 'cookie', secret: 'bench' }),
    recognise: async () => ({ session: 'one', memberGroup: 1, topics: EVERY_TOPIC }),
  });
  const upgrades = new UpgradeServer({
    runAfter,
    onFault,
    isAllowedOrigin: () => true,
    clientAddress: () => '',
    onLimit: () => undefined,
  });
  upgrades.add([sockets.endpoint]);
  const server = createServer({ IncomingMessage: upgrades.requestClass }, (request, response) => {
    answer(new URL(request.url ?? '/', 'http://bench').pathname, response, fleet).catch(() => response.destroy());
  });
  upgrades.listenOn(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fleet,
    close: async () => {
      updates.close();
      await upgrades.close();
      sockets.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(pathname: string, response: ServerResponse, fleet: MovingFleet): Promise<void> {
  const data = dataOf(pathname, fleet);
  if (data !== undefined) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ error: false, data }));
    return;
  }
  const locale = /^\/locales\/load\/([\w-]+)\/(\w+)$/.exec(pathname);
  const file = locale === null ? join(web, normalize(pathname)) : join(LOCALES, `${locale[1]}/${locale[2]}.json`);
  try {
    const body = await readFile(file);
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { ...securityHeaders('page', []), 'content-type': type }).end(body);
  } catch {
    response.writeHead(404).end();
  }
}

function dataOf(pathname: string, fleet: MovingFleet): unknown {
  switch (pathname) {
    case '/api/user/status':
      return { login: true, username: 'bench', permission: [], membergroup: 1, retentiondays: 0, expirydate: 0 };
    case '/api/system/server':
      return { web_title: 'Bench' };
    case '/api/dashboard/map':
      return { styleUrl: '', attribution: '' };
    case '/api/dashboard/figures': {
      const rate = { rate: 1, points: [], stepMs: 600_000 };
      const counts = countFleet(fleet.rows);
      return { atMs: Date.now(), counts, onlineDay: rate, onlineMonth: rate, events: [], busiest: [] };
    }
    default:
      return undefined;
  }
}
