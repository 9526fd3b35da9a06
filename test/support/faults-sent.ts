/** What was wrong with answers that were sent over the wire, seen after the test had its answer. */
export const FAULTS_SENT: string[] = [];

export const takeFaultsSent = (): string[] => FAULTS_SENT.splice(0);
