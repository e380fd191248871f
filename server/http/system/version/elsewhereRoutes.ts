// What other pages set of the installation, beside its presets.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { RecordingPolicy } from '../../../../shared/protocol/api/deviceRecording.ts';
import { VersionText } from '../../../../shared/protocol/api/records.ts';
import {
  RECORDING_PRESET_PATH,
  SETTINGS_ELSEWHERE_PATH,
  SettingsElsewhere,
} from '../../../../shared/protocol/api/system/settings.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import { SECOND_FACTOR_FOR_ALL, SECOND_FACTOR_SETTING } from '../../../auth/accounts.ts';
import type { RecordingPolicyStore } from '../../../store/recordings/recordingPolicies.ts';
import type { SettingStore } from '../../../store/system/settings.ts';
import { answers } from '../../kernel/answers.ts';
import { conflictWith, ok, refuse } from '../../kernel/envelope.ts';
import { recordAudit } from '../../kernel/recordAudit.ts';
import { MAY_RUN_INSTALLATION } from './access.ts';

export interface ElsewhereDeps {
  readonly stores: {
    readonly settings: Pick<SettingStore, 'get'>;
    readonly recordingPolicies: Pick<RecordingPolicyStore, 'forAll' | 'removeForAll'>;
  };
  readonly recordingPreset: RecordingPolicy;
}

const MAY_RESET_RECORDING = {
  access: { kind: 'permissions', all: [Permission.System, Permission.Version, Permission.DeviceGroup] },
  changes: ['setting'],
} as const;

export async function registerSettingsElsewhere(app: FastifyInstance, deps: ElsewhereDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { stores, recordingPreset } = deps;
  const response = answers(SettingsElsewhere);
  const reading = { summary: 'What other pages set of the installation', response };
  routes.get(SETTINGS_ELSEWHERE_PATH, { schema: reading, config: MAY_RUN_INSTALLATION }, async () =>
    ok(await shown(deps)),
  );

  const querystring = Type.Object({ version: VersionText });
  const resetting = { summary: 'Resets the default recording to its preset', querystring, response };
  routes.delete(RECORDING_PRESET_PATH, { schema: resetting, config: MAY_RESET_RECORDING }, async (request, reply) => {
    const before = await stores.recordingPolicies.forAll();
    if (!(await stores.recordingPolicies.removeForAll(Number(request.query.version)))) {
      return refuse(reply, conflictWith(await shown(deps)));
    }
    await recordAudit(request, {
      action: 'recording.change',
      ...(before && { before: { ...before.policy } }),
      after: { ...recordingPreset },
    });
    return ok(await shown(deps));
  });
}

async function shown({ stores, recordingPreset }: ElsewhereDeps): Promise<SettingsElsewhere> {
  const set = await stores.recordingPolicies.forAll();
  return {
    recording: { own: set?.policy ?? null, version: set?.version ?? 0, preset: recordingPreset },
    secondFactorForAll: (await stores.settings.get(SECOND_FACTOR_SETTING)) === SECOND_FACTOR_FOR_ALL,
  };
}
