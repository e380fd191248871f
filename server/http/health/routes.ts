import { Type, type TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { EnvelopeOf, ok } from '../envelope.ts';

/** `/healthz`: this process answers. It asks nothing of the database, so that a slow one does not get it restarted. */
export async function registerHealth(app: FastifyInstance): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'Whether the process answers',
    response: { 200: EnvelopeOf(Type.Object({ alive: Type.Literal(true) })) },
  };
  routes.get('/healthz', { schema, config: { access: { kind: 'public' } } }, () => ok({ alive: true as const }));
}
