/** Faults of responses sent over the wire, found after the test received them. */
export const FAULTS_SENT: string[] = [];

export const takeFaultsSent = (): string[] => FAULTS_SENT.splice(0);
