import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import {
  ChangedTemplate,
  TEMPLATES_PATH,
  Template,
  TemplateContent,
  TemplateParams,
  TemplateVersionQuery,
} from '../../../../shared/protocol/api/notify/templates.ts';
import { Nothing } from '../../../../shared/protocol/api/records.ts';
import type { TemplateActs } from '../../../notify/acts/templates.ts';
import { answers } from '../../kernel/answers.ts';
import { ok, refuse } from '../../kernel/envelope.ts';
import { actorOf } from '../../kernel/records/recordRoutes.ts';
import { MAY_EDIT_TEMPLATES as config } from './templateDeps.ts';
import { refusalOfTemplate } from './templateRefusals.ts';

const path = `${TEMPLATES_PATH}/:id`;
const params = TemplateParams;

/** `/api/template/templates`. */
export function registerTemplateChanges(app: FastifyInstance, acts: TemplateActs): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const adding = { summary: 'Adds a template', body: TemplateContent, response: answers(Template) };
  routes.post(TEMPLATES_PATH, { schema: adding, config }, async (request, reply) => {
    const done = await acts.add(actorOf(request), request.body);
    return done.ok ? ok(done.value) : refuse(reply, refusalOfTemplate(done.reason));
  });

  const changing = { summary: 'Changes a template', params, body: ChangedTemplate, response: answers(Template) };
  routes.put(path, { schema: changing, config }, async (request, reply) => {
    const { version, ...content } = request.body;
    const done = await acts.change(actorOf(request), { id: Number(request.params.id), version }, content);
    return done.ok ? ok(done.value) : refuse(reply, refusalOfTemplate(done.reason));
  });

  const removing = {
    summary: 'Removes a template that no rule uses',
    params,
    querystring: TemplateVersionQuery,
    response: answers(Nothing),
  };
  routes.delete(path, { schema: removing, config }, async (request, reply) => {
    const named = { id: Number(request.params.id), version: Number(request.query.version) };
    const done = await acts.remove(actorOf(request), named);
    return done.ok ? ok({}) : refuse(reply, refusalOfTemplate(done.reason));
  });
}
