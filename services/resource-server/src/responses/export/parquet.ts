import { type Field, type FieldKind, RESPONSE_FIELDS } from "@partner-connect/survey-data";
import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from "hyparquet-writer";

/** Bytes: a page as columns, its compressed bytes, and what the footer will say of 100,000 records. */
export const PARQUET_BYTES = 6 * 1024 * 1024;

/** Records of a row group: some milliseconds' work, in which no other request is answered. */
const GROUP_RECORDS = 500;

/** Digits behind the point of an amount, and all of them: the most that an import takes. */
const SCALE = 8;
const PRECISION = 26;

interface ColumnType {
  readonly schema: Partial<SchemaElement>;
  readonly read: (value: unknown) => unknown;
}

const TEXT: ColumnType = { schema: { type: "BYTE_ARRAY", converted_type: "UTF8" }, read: (value) => value };

const TYPES: Readonly<Record<Exclude<FieldKind, "list">, ColumnType>> = {
  text: TEXT,
  reference: TEXT,
  boolean_or_text: { ...TEXT, read: String },
  boolean: { schema: { type: "BOOLEAN" }, read: (value) => value },
  integer: { schema: { type: "INT64" }, read: (value) => BigInt(value as number) },
  timestamp: {
    schema: {
      type: "INT64",
      converted_type: "TIMESTAMP_MILLIS",
      logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
    },
    read: (value) => new Date(value as string),
  },
  decimal: {
    schema: {
      type: "FIXED_LEN_BYTE_ARRAY",
      type_length: 11,
      converted_type: "DECIMAL",
      scale: SCALE,
      precision: PRECISION,
    },
    read: (value) => unscaled(value as string),
  },
};

const NEVER_NULL = new Set(["id", "inserted_at", "updated_at"]);

const typeOf = ({ kind }: Field): ColumnType => TYPES[kind as Exclude<FieldKind, "list">];

const SCHEMA: SchemaElement[] = [
  { name: "responses", num_children: RESPONSE_FIELDS.length },
  ...RESPONSE_FIELDS.map((field): SchemaElement => {
    const repetition_type = NEVER_NULL.has(field.name) ? "REQUIRED" : "OPTIONAL";
    return { name: field.name, repetition_type, ...typeOf(field).schema };
  }),
];

/** One Parquet file. What it says of its row groups stands at its end, so a part of a file can't be read. */
export class ParquetFile {
  readonly #bytes = new ByteWriter(64 * 1024);
  readonly #file = new ParquetWriter({
    writer: this.#bytes,
    schema: SCHEMA,
    statistics: false,
    createdBy: "partner-connect",
  });

  *write(records: Buffer): Generator<Buffer> {
    const rows = JSON.parse(`[${records}]`) as Record<string, unknown>[];
    for (let start = 0; start < rows.length; start += GROUP_RECORDS) {
      const group = rows.slice(start, start + GROUP_RECORDS);
      const columnData = RESPONSE_FIELDS.map((field) => columnOf(field, group));
      void this.#file.write({ columnData, rowGroupSize: group.length });
      yield this.#take();
    }
  }

  end(next: string | null): Buffer {
    if (next !== null) this.#file.kvMetadata = [{ key: "next", value: next }];
    void this.#file.finish();
    return this.#take();
  }

  #take(): Buffer {
    const bytes = Buffer.from(this.#bytes.getBytes());
    this.#bytes.index = 0;
    return bytes;
  }
}

function columnOf(field: Field, rows: readonly Record<string, unknown>[]): ColumnSource {
  const { read } = typeOf(field);
  const data = rows.map((row) => {
    const value = row[field.name] ?? null;
    return value === null ? null : read(value);
  });
  return { name: field.name, data, offsetIndex: false, statistics: field.kind === "timestamp" };
}

/** `"-12.50"` as -1250000000n: exact, where a number would not be. */
function unscaled(amount: string): bigint {
  const [whole = "", fraction = ""] = amount.split(".");
  return BigInt(whole + fraction.padEnd(SCALE, "0"));
}
