import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { HEALTH_PATH, Health } from '../../../../shared/protocol/api/system/health.ts';
import { answers } from '../../kernel/answers.ts';
import { ok } from '../../kernel/envelope.ts';
import { MAY_RUN_INSTALLATION as config } from './access.ts';

export interface HealthRouteDeps {
  readonly health: { read(): Promise<Health> };
}

/** `GET /api/version/health`: how the installation fares, for people and for programs that watch it. */
export async function registerInstallationHealth(app: FastifyInstance, { health }: HealthRouteDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'How the installation fares, with what to do', response: answers(Health) };
  routes.get(HEALTH_PATH, { schema, config }, async () => ok(await health.read()));
}
