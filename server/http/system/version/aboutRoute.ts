import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { ABOUT_PATH, About } from '../../../../shared/protocol/api/system/about.ts';
import { answers } from '../../kernel/answers.ts';
import { ok } from '../../kernel/envelope.ts';
import type { AboutReader } from './aboutReader.ts';
import { MAY_RUN_INSTALLATION as config } from './access.ts';

export interface AboutRouteDeps {
  readonly about: AboutReader;
}

/** `GET /api/version/about`: what runs, for whoever runs the installation. */
export async function registerAbout(app: FastifyInstance, { about }: AboutRouteDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'What runs: product, schema, database and gateways', response: answers(About) };
  routes.get(ABOUT_PATH, { schema, config }, async () => ok(await about.read()));
}
