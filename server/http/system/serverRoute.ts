import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { EnvelopeOf, ErrorAnswers, ok } from '../kernel/envelope.ts';
import { InstallationInfo, type ServerInfoReader } from './serverInfo.ts';

/** `GET /api/system/server`: what an installation says of itself, to callers with `system` all of it. */
export async function registerServerInfo(app: FastifyInstance, reader: ServerInfoReader): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'What the installation says of itself',
    response: { 200: EnvelopeOf(InstallationInfo), ...ErrorAnswers },
  };
  routes.get(
    '/api/system/server',
    { schema, config: { access: { kind: 'public', recognise: true } } },
    async (request) => ok(await reader.read(request.caller?.user.permissions.includes(Permission.System) === true)),
  );
}
