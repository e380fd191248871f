// Event types and the reasons that events are closed for: what administrators edit, and the names that every member sees.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { EVENT_TYPE_NAMES_PATH, EventWords } from '../../../shared/protocol/api/eventTypes.ts';
import { answers } from '../kernel/answers.ts';
import { ok } from '../kernel/envelope.ts';
import type { EventDefineDeps } from './eventDefineDeps.ts';
import { registerEventReasons } from './eventDefineReasons.ts';
import { nameOfType } from './eventDefineShapes.ts';
import { registerEventTypes } from './eventDefineTypes.ts';

export async function registerEventDefineRoutes(app: FastifyInstance, deps: EventDefineDeps): Promise<void> {
  registerNames(app, deps);
  registerEventTypes(app, deps);
  registerEventReasons(app, deps);
}

function registerNames(app: FastifyInstance, { stores }: EventDefineDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'What events are called, and how they look and sound', response: answers(EventWords) };
  const config = { access: { kind: 'signed-in' } } as const;
  routes.get(EVENT_TYPE_NAMES_PATH, { schema, config }, async () => {
    const [types, reasons] = await Promise.all([stores.eventTypes.all(), stores.eventReasons.all()]);
    return ok({ types: types.map(nameOfType), reasons });
  });
}
