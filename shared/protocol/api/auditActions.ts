// What the audit knows of: `subject.event`. A page names each in the user's language; one that is missing here is shown
// as it is.

export const AUDIT_ACTIONS = [
  ...(['session.begin', 'session.end', 'session.refused', 'session.revoke', 'session.endall'] as const),
  ...(['password.change', 'password.choose', 'password.reset', 'password.refused'] as const),
  ...(['secondfactor.enrol', 'secondfactor.remove', 'secondfactor.reset'] as const),
  ...(['secondfactor.refused', 'secondfactor.recover'] as const),
  ...(['user.add', 'user.change', 'user.remove', 'user.invite', 'user.uninvite', 'user.profile'] as const),
  ...(['role.add', 'role.change', 'role.remove', 'membership.policy'] as const),
  ...(['membergroup.add', 'membergroup.change', 'membergroup.remove', 'membergroup.people'] as const),
  'membergroup.choose',
  ...(['devicegroup.add', 'devicegroup.change', 'devicegroup.remove', 'devicegroup.claim'] as const),
  ...(['device.add', 'device.change', 'device.move', 'device.remove', 'device.import', 'device.test'] as const),
  'recording.change',
  ...(['terminal.adopt', 'terminal.approve', 'terminal.refuse'] as const),
  ...(['terminal.mismatch', 'terminal.elsewhere', 'terminal.moved'] as const),
  ...(['link.add', 'link.revoke', 'export.begin', 'evidence.hold', 'evidence.release'] as const),
  ...(['ptz.begin', 'ptz.end', 'talk.begin', 'talk.end'] as const),
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];
