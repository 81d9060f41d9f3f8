export interface Option {
  readonly id: number;
  readonly value: string;
  readonly clarification_question?: string;
}

/** A question, with the API's field names. */
export interface Question {
  readonly id: number;
  readonly prompt: string;
  readonly type: "single_response" | "multi_response" | "open_ended";
  readonly customer_type: "everyone" | "new" | "returning";
  readonly allow_other: boolean;
  readonly responses: readonly Option[];
  /** The question and option that lead to this one. */
  readonly referring?: { readonly question: number; readonly option: number };
}

function options(firstId: number, values: readonly string[]): Option[] {
  return values.map((value, index) => ({ id: firstId + index, value }));
}

const CHANNELS = [
  "Instagram",
  "TikTok",
  "Friend or family",
  "Google search",
  "Podcast",
  "YouTube",
  "Facebook",
  "Newsletter",
  "TV",
  "In a store",
] as const;

export const QUESTIONS: readonly Question[] = [
  {
    id: 1001,
    prompt: "How did you hear about us?",
    type: "single_response",
    customer_type: "new",
    allow_other: true,
    responses: options(2001, CHANNELS).map((option) =>
      option.value === "Podcast" ? { ...option, clarification_question: "Which podcast?" } : option,
    ),
  },
  {
    id: 1002,
    prompt: "Which podcast?",
    type: "single_response",
    customer_type: "everyone",
    allow_other: true,
    responses: options(2101, [
      "The Daily Grind",
      "Slow Mornings",
      "Founders at Sea",
      "Kitchen Table Talk",
      "Run Further",
    ]),
    referring: { question: 1001, option: 2005 },
  },
  {
    id: 1003,
    prompt: "What nearly stopped you from buying today?",
    type: "single_response",
    customer_type: "everyone",
    allow_other: true,
    responses: options(2201, [
      "Shipping cost",
      "Price",
      "Not sure about the size",
      "Delivery time",
      "Nothing",
    ]),
  },
  {
    id: 1004,
    prompt: "Who is this order for?",
    type: "multi_response",
    customer_type: "returning",
    allow_other: false,
    responses: options(2301, ["Myself", "A gift", "My home", "My office"]),
  },
  {
    id: 1005,
    prompt: "What could we do better?",
    type: "open_ended",
    customer_type: "returning",
    allow_other: true,
    responses: [],
  },
];

/** The categories into which a merchant sorts the answers to a question. */
export function categoriesOf(questionId: unknown): readonly string[] {
  const values = QUESTIONS.find(({ id }) => id === questionId)?.responses.map(({ value }) => value);
  return values?.length ? values : ["Delivery", "Packaging", "Price", "Product range"];
}

/** Realistic free-text answers. */
export const WORDS_OF_CUSTOMERS = [
  "My sister wouldn't stop talking about it",
  'Saw the "before & after" post',
  "Überall in Berlin auf Plakaten",
  "a billboard on the I-5 near Portland",
  "友達に勧められました",
  "Reddit, r/coffee",
  "My yoga teacher 🧘",
  "gift from my mum last christmas",
  "Your stand at the farmers' market\nin June",
  "J'ai lu un article dans Le Monde",
] as const;

export const CAMPAIGNS = [
  {
    source: "instagram",
    medium: "paid_social",
    campaign: "spring_launch_2024",
    site: "https://l.instagram.com/",
  },
  {
    source: "tiktok",
    medium: "paid_social",
    campaign: "creators_q2",
    site: "https://www.tiktok.com/",
  },
  { source: "google", medium: "cpc", campaign: "brand_search_us", site: "https://www.google.com/" },
  {
    source: "klaviyo",
    medium: "email",
    campaign: "welcome_series_3",
    site: "https://mail.google.com/",
  },
  {
    source: "podcast",
    medium: "audio",
    campaign: "slow_mornings_ep_112",
    site: "https://slowmornings.example/",
  },
] as const;

export const AD_CONTENTS = ["video_15s_hook_b", "carousel_4", "story_static", "host_read"] as const;

export const LANDING_PAGES = [
  "/",
  "/products/starter-kit",
  "/collections/best-sellers",
  "/pages/gift-guide",
] as const;

export const NAMES = [
  "ada",
  "noor",
  "mateo",
  "yuki",
  "lena",
  "kwame",
  "ines",
  "oskar",
  "priya",
  "tom",
] as const;

export const COUPONS = [
  { code: "WELCOME10", type: "percentage" },
  { code: "PODCAST15", type: "percentage" },
  { code: "FREESHIP", type: "fixed_amount" },
] as const;

/** Approximate units per US dollar. An order picks one at random, so USD is the most frequent. */
export const CURRENCIES = [
  { code: "USD", rate: 1 },
  { code: "USD", rate: 1 },
  { code: "USD", rate: 1 },
  { code: "EUR", rate: 0.92 },
  { code: "GBP", rate: 0.79 },
] as const;
