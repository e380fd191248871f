import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { ABOUT_PATH, About } from '../../../../shared/protocol/api/system/about.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import { answers } from '../../kernel/answers.ts';
import { ok } from '../../kernel/envelope.ts';
import type { AboutReader } from './aboutReader.ts';

export interface AboutRouteDeps {
  readonly about: AboutReader;
}

const config = { access: { kind: 'permissions', all: [Permission.System, Permission.Version] } } as const;

/** `GET /api/version/about`: what runs, for whoever runs the installation. */
export async function registerAbout(app: FastifyInstance, { about }: AboutRouteDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'What runs: product, schema, database and gateways', response: answers(About) };
  routes.get(ABOUT_PATH, { schema, config }, async () => ok(await about.read()));
}
