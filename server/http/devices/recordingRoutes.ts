import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { COMMON_RECORDING_PATH, CommonRecording } from '../../../shared/protocol/api/deviceRecording.ts';
import { answers } from '../kernel/answers.ts';
import { conflictWith, ok, refuse } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import type { DeviceGroupDeps } from './deps.ts';
import { ROUTE_CONFIG as config } from './scope.ts';

/**
 * `/api/devicegroup/recording`: the policy of devices without a recording policy of their own, whatever their member group. Once it is set,
 * the configuration's no longer applies, so that there is one place to look.
 */
export async function registerCommonRecording(app: FastifyInstance, deps: DeviceGroupDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = answers(CommonRecording);
  const reading = { summary: 'The recording of devices without one of their own', response };
  routes.get(COMMON_RECORDING_PATH, { schema: reading, config }, async () => ok(await commonRecording(deps)));

  const changing = { summary: 'Changes it', body: CommonRecording, response };
  routes.put(COMMON_RECORDING_PATH, { schema: changing, config }, async (request, reply) => {
    const { policy, version } = request.body;
    const { policy: before } = await commonRecording(deps);
    if (!(await deps.stores.recordingPolicies.setForAll(policy, version))) {
      return refuse(reply, conflictWith(await commonRecording(deps)));
    }
    await recordAudit(request, { action: 'recording.change', before: { ...before }, after: { ...policy } });
    return ok(await commonRecording(deps));
  });
}

/** The policy of the configuration until the database has one. */
async function commonRecording({ stores, recordingPreset }: DeviceGroupDeps): Promise<CommonRecording> {
  return (await stores.recordingPolicies.forAll()) ?? { policy: recordingPreset, version: 0 };
}
