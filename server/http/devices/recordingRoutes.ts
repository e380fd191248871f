import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { CommonRecording } from '../../../shared/protocol/api/devices.ts';
import { conflictWith, EnvelopeOf, ErrorAnswers, ok, refuse } from '../kernel/envelope.ts';
import { difference, recordAudit } from './auditTrail.ts';
import type { DeviceGroupDeps } from './deps.ts';
import { Policy } from './schemas.ts';
import { ACCESS as config } from './scope.ts';

const Common = Type.Unsafe<CommonRecording>(Type.Object({ policy: Policy, version: Type.Integer() }));
const EditedCommon = Type.Object(
  { policy: Policy, version: Type.Integer({ minimum: 0 }) },
  { additionalProperties: false },
);

/** `/api/devicegroup/recording`: what holds for devices without a recording of their own. */
export async function registerCommonRecording(app: FastifyInstance, deps: DeviceGroupDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = { 200: EnvelopeOf(Common), ...ErrorAnswers };
  const reading = { summary: 'The recording of devices without one of their own', response };
  routes.get('/api/devicegroup/recording', { schema: reading, config }, async () => ok(await commonRecording(deps)));

  const changing = { summary: 'Changes it', body: EditedCommon, response };
  routes.put('/api/devicegroup/recording', { schema: changing, config }, async (request, reply) => {
    const { policy, version } = request.body;
    const before = await commonRecording(deps);
    if (!(await deps.stores.recordingPolicies.setForAll(policy, version))) {
      return refuse(reply, conflictWith(await commonRecording(deps)));
    }
    await recordAudit(deps, request, { action: 'recording.change', target: '', ...difference(before.policy, policy) });
    return ok(await commonRecording(deps));
  });
}

/** As the configuration says until the database knows better. */
export async function commonRecording({ stores, recordingPreset }: DeviceGroupDeps): Promise<CommonRecording> {
  return (await stores.recordingPolicies.forAll()) ?? { policy: recordingPreset, version: 0 };
}
