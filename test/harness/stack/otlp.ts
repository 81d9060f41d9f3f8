/** A span as a collector receives it. */
export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: the first of its trace. */
  readonly parentId: string;
  readonly name: string;
  /** 2: a request that was served; 3: a call that was made. */
  readonly kind: number;
  readonly milliseconds: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Trace ids of other callers. */
  readonly links: readonly string[];
  /** 2: an error. */
  readonly status: number;
}

/** The spans of an ExportTraceServiceRequest (opentelemetry-proto, trace/v1/trace.proto). */
export function decodeSpans(body: Buffer): CollectedSpan[] {
  return messages(body, 1).flatMap((resourceSpans) => {
    const service = String(attributes(messages(resourceSpans, 1)[0] ?? NOTHING, 1)["service.name"]);
    const scopes = messages(resourceSpans, 2);
    return scopes.flatMap((scope) => messages(scope, 2)).map((span) => decodeSpan(span, service));
  });
}

function decodeSpan(span: Buffer, service: string): CollectedSpan {
  const hex = (number: number) => (messages(span, number)[0] ?? NOTHING).toString("hex");
  const [status] = messages(span, 15);
  return {
    service,
    traceId: hex(1),
    spanId: hex(2),
    parentId: hex(4),
    name: String(messages(span, 5)[0]),
    kind: Number(numbers(span, 6)[0]),
    milliseconds: Number((numbers(span, 8)[0] ?? 0n) - (numbers(span, 7)[0] ?? 0n)) / 1e6,
    attributes: attributes(span, 9),
    links: messages(span, 13).map((link) => (messages(link, 1)[0] ?? NOTHING).toString("hex")),
    status: status ? Number(numbers(status, 3)[0] ?? 0) : 0,
  };
}

function attributes(message: Buffer, number: number): Record<string, string | number | boolean> {
  return Object.fromEntries(
    messages(message, number).map((pair) => {
      const value = messages(pair, 2)[0] ?? NOTHING;
      const [text] = messages(value, 1);
      const [truth] = numbers(value, 2);
      return [
        String(messages(pair, 1)[0]),
        text !== undefined ? String(text) : truth !== undefined ? truth === 1n : Number(numbers(value, 3)[0]),
      ];
    }),
  );
}

const NOTHING = Buffer.alloc(0);

const messages = (message: Buffer, number: number) =>
  [...fields(message)].flatMap(([field, value]) => (field === number && Buffer.isBuffer(value) ? [value] : []));
const numbers = (message: Buffer, number: number) =>
  [...fields(message)].flatMap(([field, value]) => (field === number && typeof value === "bigint" ? [value] : []));

/** Fields of protobuf's wire format, by their numbers. */
function* fields(message: Buffer): Generator<[number, Buffer | bigint]> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = Number(varint());
    const kind = tag & 7;
    if (kind === 0) yield [tag >> 3, varint()];
    else {
      const length = kind === 1 ? 8 : kind === 5 ? 4 : Number(varint());
      const bytes = message.subarray(at, at + length);
      at += length;
      yield [tag >> 3, kind === 1 ? bytes.readBigUInt64LE() : kind === 5 ? BigInt(bytes.readUInt32LE()) : bytes];
    }
  }
}
