import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  CodeBody,
  RecoveryCodes,
  SECOND_FACTOR_PATH,
  SecondFactorProof,
  SecondFactorState,
} from '../../../shared/protocol/api/ownAccount.ts';
import { Nothing } from '../../../shared/protocol/api/records.ts';
import { TotpEnrolment } from '../../../shared/protocol/api/signIn.ts';
import type { OwnAccess } from '../../auth/ownAccess.ts';
import type { SecondFactors } from '../../auth/secondFactors.ts';
import { answers } from '../kernel/answers.ts';
import { readBrowserCookie } from '../kernel/browserCookie.ts';
import { callerOf, clientInfoOf } from '../kernel/caller.ts';
import { ok, type Refusal, refuse, refusedFields } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { refuseProof, refuseSecondStep } from './refusals.ts';
import type { Issuer } from './signInRoutes.ts';

export interface OwnSecondFactorDeps {
  readonly secondFactors: SecondFactors;
  readonly ownAccess: Pick<OwnAccess, 'prove' | 'confirm'>;
  readonly secondFactorForAll: () => Promise<boolean>;
  readonly issuer: Issuer;
}

const WRONG_CODE = refusedFields({ code: 'wrong-code' });
const REQUIRED: Refusal = {
  status: 409,
  code: 'second-factor-required',
  message: 'Your account requires two-factor authentication.',
};
const config = { access: { kind: 'signed-in' } } as const;

export function registerOwnSecondFactor(app: FastifyInstance, deps: OwnSecondFactorDeps): void {
  registerReading(app, deps);
  registerEnrolment(app, deps);
  registerRemoval(app, deps);
}

async function isRequired(request: FastifyRequest, { secondFactorForAll }: OwnSecondFactorDeps): Promise<boolean> {
  return callerOf(request).user.secondFactorRequired || (await secondFactorForAll());
}

function registerReading(app: FastifyInstance, deps: OwnSecondFactorDeps): void {
  const { secondFactors } = deps;
  const schema = { summary: "One's own second factor", response: answers(SecondFactorState) };
  app.withTypeProvider<TypeBoxTypeProvider>().get(SECOND_FACTOR_PATH, { schema, config }, async (request) => {
    const { id } = callerOf(request).user;
    return ok({
      isEnrolled: await secondFactors.isEnrolled(id),
      isRequired: await isRequired(request, deps),
      recoveryCodesLeft: await secondFactors.recoveryCodesLeft(id),
    });
  });
}

function registerEnrolment(app: FastifyInstance, { secondFactors, ownAccess, issuer }: OwnSecondFactorDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  // Requires the password: an open browser that somebody else finds must not be enough to lock its owner out. Requires a code where
  // there is a second factor: a stolen password must not be enough to replace it.
  const beginning = { summary: 'Begins one', body: SecondFactorProof, response: answers(TotpEnrolment) };
  routes.post(SECOND_FACTOR_PATH, { schema: beginning, config }, async (request, reply) => {
    const proven = await ownAccess.prove(proofOf(request));
    if (!proven.ok) return refuseProof(reply, proven);
    return ok(await secondFactors.begin(callerOf(request).user, await issuer()));
  });

  const confirming = { summary: 'Proves it by a code', body: CodeBody, response: answers(RecoveryCodes) };
  routes.post(`${SECOND_FACTOR_PATH}/confirm`, { schema: confirming, config }, async (request, reply) => {
    const enrolled = await ownAccess.confirm({ ...ownRequestOf(request), code: request.body.code });
    if (!enrolled.ok && enrolled.reason === 'slow-down') return refuseSecondStep(reply, enrolled);
    if (!enrolled.ok) return refuse(reply, WRONG_CODE);
    await recordAudit(request, { action: 'secondfactor.enrol', target: callerOf(request).user.username });
    return ok({ recoveryCodes: enrolled.recoveryCodes });
  });
}

function registerRemoval(app: FastifyInstance, deps: OwnSecondFactorDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Takes it away', body: SecondFactorProof, response: answers(Nothing) };
  routes.post(`${SECOND_FACTOR_PATH}/remove`, { schema, config }, async (request, reply) => {
    if (await isRequired(request, deps)) return refuse(reply, REQUIRED);
    const proven = await deps.ownAccess.prove(proofOf(request));
    if (!proven.ok) return refuseProof(reply, proven);
    const { id, username } = callerOf(request).user;
    const wasThere = await deps.secondFactors.remove(id);
    if (wasThere) await recordAudit(request, { action: 'secondfactor.remove', target: username });
    return ok({});
  });
}

function ownRequestOf(request: FastifyRequest) {
  return { caller: callerOf(request), client: clientInfoOf(request), browser: readBrowserCookie(request) };
}

type ProofRequest = FastifyRequest & { readonly body: SecondFactorProof };

function proofOf(request: ProofRequest) {
  const { password, code } = request.body;
  return { ...ownRequestOf(request), password, code };
}
