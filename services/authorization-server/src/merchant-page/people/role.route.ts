import { changeRole, DirectoryError } from "@partner-connect/directory";
import type { FastifyInstance } from "fastify";
import { notFoundPage } from "../errors/error-page.ts";
import { formField } from "../forms/form-token.ts";
import { redirectTo } from "../frame/send-merchant-page.ts";
import { beforeDeadline, merchantActor, type PageContext } from "../page-context.ts";
import { logged } from "./invite.route.ts";
import { showPeoplePage } from "./people.route.ts";
import { type People, type PeoplePages, peopleSteps } from "./people-pages.ts";

/** Makes a member an owner, and an owner a member. */
export function roleRoute<Own extends People>(
  app: FastifyInstance,
  context: PageContext,
  pages: PeoplePages<Own>,
): void {
  const path = pages.routes.role(":merchantId");

  // What the form is answered with can be a page. Its address leads back to the people.
  peopleSteps(app, pages, "look").get(path, (_, reply, { paths }) => redirectTo(reply, paths.people));

  peopleSteps(app, pages, "change").post(path, async (request, reply, own) => {
    const { merchant, group, paths } = own;
    const merchantId = request.params.merchantId ?? "";
    if (!context.formTokens.isValid(request, paths.invitations)) {
      return await showPeoplePage(context, pages, reply, own, { problem: "out_of_date" }, 403);
    }
    const role = formField(request.body, "role");
    try {
      const change = { ...group, merchantId, role, byOwner: merchant.id };
      await beforeDeadline(changeRole(context.sql, change, merchantActor(request, merchant)));
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error;
      if (error.code !== "LAST_OWNER") return notFoundPage(reply);
      return await showPeoplePage(context, pages, reply, own, { problem: "last_owner" }, 422);
    }
    request.log.info({ merchant_id: merchant.id, ...logged(own), changed: merchantId, role }, "role changed");
    // Who is no owner any more can't open the page of the people.
    const isOwner = merchantId !== merchant.id || role === "owner";
    return redirectTo(reply, isOwner ? paths.people : pages.home);
  });
}
