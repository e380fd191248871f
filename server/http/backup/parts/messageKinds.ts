// Templates and senders of a backup. Secrets of senders aren't imported: a new one is turned off until it has its secret.
import { SenderContent } from '../../../../shared/protocol/api/notify/senders.ts';
import { TemplateContent } from '../../../../shared/protocol/api/notify/templates.ts';
import { movesSecret } from '../../../notify/senders/secretMoves.ts';
import { faultsOfSettings } from '../../../notify/senders/settingFaults.ts';
import type { SenderFields } from '../../../store/notify/notifySenders.ts';
import { refusalOfSender } from '../../notify/senders/senderDeps.ts';
import { refusalOfTemplate } from '../../notify/templates/templateRefusals.ts';
import { faultOf, type JudgeRecord, nameKey, type PartKind } from './partRecords.ts';
import { savedRecord } from './savedRecord.ts';

/** Rules have chosen it for senders of its kind. */
const judgeKind: JudgeRecord = ({ fields, present }) =>
  present !== undefined && present.fields.kind !== fields.kind ? [faultOf('kind', 'not-allowed')] : [];

export const templateKind: PartKind = {
  record: 'template',
  part: 'templates',
  read: async ({ notifyTemplates }) =>
    (await notifyTemplates.all()).map(({ id, version, name, kind, fallback, texts }) => ({
      ...{ key: nameKey(name), name, id, version, isReached: true },
      fields: { name, kind, fallback, texts },
    })),
  references: () => [],
  judge: () => judgeKind,
  save: ({ fields, present }, { actor, acts: { templates } }) =>
    savedRecord(
      TemplateContent,
      fields,
      (content) =>
        present === undefined
          ? templates.add(actor, content)
          : templates.change(actor, { id: Number(present.id), version: present.version }, content),
      refusalOfTemplate,
    ),
};

export const senderKind: PartKind = {
  record: 'sender',
  part: 'senders',
  read: async ({ notifySenders }) =>
    (await notifySenders.all()).map(({ id, version, name, kind, enabled, perMinute, settings, sealedSecret }) => ({
      ...{ key: nameKey(name), name, id, version, isReached: true },
      fields: { name, kind, enabled, perMinute, settings, hasSecret: sealedSecret !== '' },
    })),
  references: () => [],
  // One that is there keeps its secret, and stays on or off.
  merge: (wanted, { enabled, hasSecret }) => ({ ...wanted, enabled, hasSecret }),
  judge: () => (wanted) => {
    const { fields, present } = wanted;
    const kindFaults = judgeKind(wanted);
    if (kindFaults.length > 0) return kindFaults;
    const settings = fields as unknown as SenderFields;
    const wrong = Object.entries(faultsOfSettings(settings)).map(([field, code]) => faultOf(field, code));
    if (wrong.length > 0 || present === undefined || present.fields.hasSecret !== true) return wrong;
    // Otherwise a backup of one's own could name a server that the stored secret is sent to.
    const isMoved = movesSecret(present.fields as unknown as SenderFields, settings);
    return isMoved ? [faultOf('secret', 'required')] : [];
  },
  save: ({ fields: { hasSecret: _, ...given }, present }, { actor, acts: { senders } }) =>
    savedRecord(
      SenderContent,
      present === undefined ? { ...given, enabled: false, secret: '' } : given,
      (content) =>
        present === undefined
          ? senders.add(actor, content)
          : // A secret that is left out stays as it is.
            senders.change(actor, { id: Number(present.id), version: present.version }, content),
      refusalOfSender,
    ),
};
