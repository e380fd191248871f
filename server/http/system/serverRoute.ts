import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { EnvelopeOf, ok } from '../envelope.ts';
import { InstallationInfo, type ServerInfoReader } from './serverInfo.ts';

/** `GET /api/system/server`: what an installation says of itself. */
export async function registerServerInfo(app: FastifyInstance, reader: ServerInfoReader): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'What the installation says of itself', response: { 200: EnvelopeOf(InstallationInfo) } };
  routes.get('/api/system/server', { schema, config: { access: { kind: 'public' } } }, async () =>
    ok(await reader.read(false)),
  );
}
