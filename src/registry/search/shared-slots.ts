const SLOTS = 32;
const SLOT_BYTES = 256 * 1024;

/**
 * Memory that threads share, for answers on their way: hundreds of large answers a second that are new
 * memory each would keep the serving thread at collecting it.
 */
export class SharedMemory {
  readonly memory: SharedArrayBuffer;
  readonly #free: number[] = [];

  constructor(memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(SLOTS * SLOT_BYTES);
    for (let slot = 0; slot < SLOTS; slot++) this.#free.push(slot);
  }

  /** Undefined where all are taken. */
  take(): number | undefined {
    return this.#free.pop();
  }

  free(slot: number | undefined): void {
    if (slot !== undefined) this.#free.push(slot);
  }

  /** False where the bytes do not fit. */
  fill(slot: number, bytes: Uint8Array): boolean {
    if (bytes.length > SLOT_BYTES) return false;
    this.bytes(slot, bytes.length).set(bytes);
    return true;
  }

  bytes(slot: number, length: number): Buffer {
    return Buffer.from(this.memory, slot * SLOT_BYTES, length);
  }
}
