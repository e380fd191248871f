// The gateway's part of the page: it keeps senders, counts their versions, and never gives a secret back.
import {
  type ChangedSender,
  SENDERS_PATH,
  type Sender,
  type SenderContent,
} from '../../../../shared/protocol/api/notify/senders.ts';
import { aSender } from '../../../support/aSender.ts';
import { type FakeGateway, json } from '../../../support/fakes/fakeGateway.ts';

export interface KeptSenders {
  readonly rows: Sender[];
  /** Secrets as they were sent, by the sender's number. */
  readonly secrets: Map<number, string>;
}

export function keepSenders(gateway: FakeGateway, first: readonly Sender[]): KeptSenders {
  const kept: KeptSenders = { rows: [...first], secrets: new Map() };
  const { rows } = kept;
  gateway.on(`GET ${SENDERS_PATH}`, ({ query }) => {
    const kind = query.get('kind');
    const search = query.get('search') ?? '';
    const found = rows.filter((row) => (kind === null || row.kind === kind) && row.name.includes(search));
    const page = { rows: found, total: found.length, hasMoreThanTotal: false, next: null, previous: null };
    return json({ error: false, data: page });
  });
  gateway.on(`POST ${SENDERS_PATH}`, ({ body }) => {
    const id = rows.length + 1;
    rows.push(applied(kept, aSender({ id, hasSecret: false }), body as SenderContent));
    planOne(gateway, kept, id);
    return json({ error: false, data: rows.at(-1) });
  });
  for (const { id } of first) planOne(gateway, kept, id);
  return kept;
}

function planOne(gateway: FakeGateway, kept: KeptSenders, id: number): void {
  const { rows } = kept;
  const at = () => rows.findIndex((row) => row.id === id);
  gateway.on(`PUT ${SENDERS_PATH}/${id}`, ({ body }) => {
    const { version, ...content } = body as ChangedSender;
    const known = rows[at()] as Sender;
    if (known.version !== version) return conflict(known);
    rows[at()] = { ...applied(kept, known, content), version: version + 1 };
    return json({ error: false, data: rows[at()] });
  });
  gateway.on(`DELETE ${SENDERS_PATH}/${id}`, () => {
    rows.splice(at(), 1);
    return json({ error: false, data: {} });
  });
}

function applied({ secrets }: KeptSenders, known: Sender, { secret, ...content }: SenderContent): Sender {
  if (secret === undefined) return { ...known, ...content };
  secrets.set(known.id, secret);
  return { ...known, ...content, hasSecret: secret !== '' };
}

function conflict(current: object): Response {
  return json({ error: true, code: 'conflict', message: 'conflict', data: { current } }, { status: 409 });
}
