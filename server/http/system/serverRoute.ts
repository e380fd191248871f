import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { SERVER_INFO_PATH, ServerInfo } from '../../../shared/protocol/api/system.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { answers } from '../kernel/answers.ts';
import { ok } from '../kernel/envelope.ts';
import type { ServerInfoReader } from './serverInfo.ts';

/** `GET /api/system/server`: what an installation says of itself, to callers with `system` all of it. */
export async function registerServerInfo(app: FastifyInstance, reader: ServerInfoReader): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'What the installation says of itself',
    response: answers(ServerInfo),
  };
  routes.get(SERVER_INFO_PATH, { schema, config: { access: { kind: 'public', recognise: true } } }, async (request) =>
    ok(await reader.read(request.caller?.user.permissions.includes(Permission.System) === true)),
  );
}
