import { SCOPE_TITLES } from "@partner-connect/contract";
import { html } from "@partner-connect/service-runtime/html";
import type { Texts } from "./en.ts";

/**
 * One file for all pages, so that a translator reads the language in one piece. `\u00a0` keeps a
 * sign with its word.
 */
const inMinutes = (minutes: number) =>
  minutes === 1 ? "dans une minute" : `dans ${minutes} minutes`;

export const fr: Texts = {
  language: "fr",
  languageName: "Français",
  skipToContent: "Aller au contenu",
  contact: "Contactez-nous",
  back: "Retour",
  tryAgain: "Réessayer",
  plan: { standard: "forfait Standard", advanced_attribution: "forfait Attribution avancée" },
  scope: {
    "responses:read": {
      title: SCOPE_TITLES.fr["responses:read"],
      does: "Toutes les réponses, passées et à venir, sans pouvoir les modifier ni les supprimer.",
      personalData: "Y compris les adresses e-mail, les commandes et les visites de vos clients.",
    },
    "sources:write": {
      title: SCOPE_TITLES.fr["sources:write"],
      does: "Par exemple des podcasts ou des chaînes que vos clients peuvent citer.",
      personalData: null,
    },
  },
  frame: {
    language: "Langue",
    help: "Aide",
    privacy: "Confidentialité",
    terms: "Conditions d’utilisation",
    account: "Compte",
    partner: "Pages partenaires",
    docs: "Documentation",
    error: "Erreur\u00a0:",
    outOfDate: "Cette page n’était plus à jour. Rien n’a été modifié. Vérifiez-la et réessayez.",
  },
  help: {
    heading: "Ce qu’il faut savoir sur les applications connectées",
    answers: [
      "Qu’est-ce qu’une application connectée\u00a0?",
      "Le logiciel d’une autre société, que vous ou un autre membre de votre boutique avez autorisé à utiliser les données d’enquête de la boutique.",
      "Que lit-elle\u00a0?",
      "Ce que vous avez autorisé\u00a0: en général, toutes les réponses de la boutique, passées et futures, avec les adresses e-mail, les commandes, les visites et les propres mots de vos clients (des noms seulement s’ils les ont écrits). Elle ne peut ni modifier ni supprimer les réponses. Une seconde autorisation lui permet d’ajouter des sources, comme des podcasts. La page Détails, dans Applications connectées, indique les autorisations. Elle ne voit jamais votre mot de passe ni les boutiques que vous n’avez pas approuvées\u00a0; chaque accord vaut pour une seule.",
      "Que signifie Suspendue\u00a0?",
      "Nous avons arrêté l’accès de l’application à cette boutique. Rien n’est supprimé, mais elle ne peut rien lire avant la fin de la suspension. Vous n’avez rien à faire. Vous pouvez la déconnecter, mais elle peut rester affichée comme suspendue jusqu’à la fin. Après une longue suspension, vous devrez peut-être la connecter à nouveau.",
      "Pourquoi dois-je connecter une application à nouveau\u00a0?",
      "Elle n’a pas été utilisée depuis longtemps (30 jours en général), a besoin d’autres autorisations ou a perdu son accès, ou a été déconnectée par votre boutique, par la société qui l’édite ou par nous. Commencez dans l’application, puis donnez à nouveau votre accord. Si elle est suspendue, demandez-nous d’abord.",
      "Qui a connecté cette application\u00a0?",
      "Chaque membre de la boutique peut connecter des applications. La page Détails, dans Applications connectées, indique qui a donné son accord en dernier, et quand. Si vous ne connaissez pas l’application, déconnectez-la et prévenez-nous. Si elle indique votre nom alors que ce n’était pas vous, changez aussi votre mot de passe.",
      "J’ai reçu un e-mail à propos d’une connexion ou de mon mot de passe. Que faire\u00a0?",
      "Rien, si c’était vous, par exemple avec un autre navigateur, dans une fenêtre privée ou après avoir supprimé les cookies. Si ce n’était pas vous, choisissez immédiatement un nouveau mot de passe\u00a0: toutes les sessions se terminent. Si vous vous connectez avec le compte d’une autre société, choisissez Se déconnecter partout et sécurisez ce compte. Retirez ensuite les clés d’accès qui ne sont pas les vôtres (si c’est impossible, demandez-nous), et déconnectez les applications inconnues.",
      "Comment retirer une application\u00a0?",
      "Ouvrez Applications connectées, puis choisissez Déconnecter (si l’application a expiré, Retirer). L’application perd immédiatement l’accès, et garde ce qu’elle a déjà lu. Si vous avez choisi la mauvaise boutique, notez d’abord l’adresse sur la page Détails (s’il n’y en a pas, demandez-nous). Déconnectez l’application, demandez à cette adresse de supprimer ce qu’elle a lu, puis recommencez dans l’application.",
      "Qui a vu les données de mes clients\u00a0?",
      "Chaque application connectée ou déconnectée, et toute personne qui a une clé API de votre boutique. Les applications pouvaient aussi lire les réponses antérieures à votre accord. Pour faire supprimer des données, écrivez à la société indiquée sur la page Détails, dans Applications connectées. Pour les applications déconnectées et les connexions antérieures, demandez-nous.",
      "Je n’arrive pas à me connecter. Que faire\u00a0?",
      "Choisissez Mot de passe oublié\u00a0? Si aucun e-mail n’arrive, vérifiez l’adresse et regardez dans les indésirables. Après trop de tentatives, attendez le temps indiqué sur la page, ou choisissez un nouveau mot de passe. Si vous avez perdu une clé d’accès, utilisez-en une autre. Si vous n’en avez plus, ou si votre compte est bloqué, demandez-nous. Nous vérifierons votre identité.",
      "Comment supprimer mon compte ou ma boutique\u00a0?",
      "Demandez-nous. Avant cela, demandez à chaque application de supprimer sa copie (l’adresse est sur la page Détails), puis déconnectez les applications\u00a0: ensuite, vous ne verrez plus ces adresses.",
    ],
  },
  signIn: {
    title: "Se connecter",
    heading: (app) => html`Identifiez-vous pour connecter ${app}`,
    lead: "Identifiez-vous pour gérer les applications connectées",
    email: "Adresse e-mail",
    password: "Mot de passe",
    wrong: "Adresse e-mail ou mot de passe incorrect.",
    paused: "Votre compte est bloqué.",
    tooManyAttempts: (minutes) => `Trop de tentatives. Veuillez réessayer ${inMinutes(minutes)}.`,
    sessionEnded: "Votre session a expiré. Veuillez vous reconnecter.",
    signedOut: "Vous êtes déconnecté(e).",
    passwordChanged: "Nouveau mot de passe enregistré. Connectez-vous avec celui-ci.",
    forgot: "Mot de passe oublié\u00a0?",
    safety: (product, host) =>
      html`Vous êtes sur ${host}. Aucune application n’a besoin de votre mot de passe ${product}.`,
    openId: {
      button: (provider) => html`Continuer avec ${provider}`,
      another: (provider) => html`Utiliser un autre compte ${provider}`,
      back: "Retour à la connexion",
      failed: "Vous n’êtes pas connecté(e)",
      problem: {
        unavailable: (provider) => html`${provider} ne répond pas. Réessayez dans une minute.`,
        misconfigured: (provider) =>
          html`La connexion avec ${provider} n’est pas bien configurée. Contactez-nous.`,
        cancelled: (provider) => html`Vous avez annulé la connexion chez ${provider}.`,
        ended: () => html`Cette connexion a déjà servi, a expiré ou vient d’un autre navigateur.`,
        no_account: (_provider, email) =>
          html`${email} n’a pas de compte ici. Demandez-nous-en un.`,
        not_connected: (provider) =>
          html`Votre compte ${provider} n’est pas encore relié ici. Réessayez dans quelques minutes. Si cela ne suffit pas, contactez-nous.`,
        unverified: (provider) =>
          html`${provider} n’a pas confirmé votre adresse e-mail. Vérifiez-la là-bas.`,
        joined_with_another: (provider, email) =>
          html`${email} est lié à un autre compte ${provider}.`,
        paused: () => html`Votre compte est bloqué. Contactez-nous.`,
      },
    },
  },
  password: {
    heading: "Choisissez un nouveau mot de passe",
    present: "Mot de passe actuel",
    chosen: "Nouveau mot de passe",
    repeated: "Confirmer le nouveau mot de passe",
    rule: "Au moins 15 caractères, par exemple quatre mots sans lien. Évitez nom, e-mail et boutique.",
    problem: {
      too_short: "Choisissez au moins 15 caractères.",
      too_long: "Choisissez au plus 256 caractères.",
      blank: "N’utilisez pas que des espaces.",
      common: "Ce mot de passe est trop courant.",
      personal: "N’utilisez ni vos nom, e-mail ou boutique, ni notre nom.",
      wrong: "Mot de passe actuel incorrect.",
      same: "C’est votre mot de passe actuel.",
      not_repeated: "Les nouveaux mots de passe ne correspondent pas.",
    },
    change: {
      lead: "Vous serez déconnecté(e) partout ailleurs.",
      submit: "Changer le mot de passe",
      done: "Mot de passe changé.",
    },
    reset: { lead: "Vous serez déconnecté(e) partout.", submit: "Enregistrer le mot de passe" },
    ended: {
      title: "Ce lien a expiré",
      lead: "Un lien sert une fois, pour peu de temps. Utilisez le plus récent.",
      again: "Obtenir un nouveau lien",
    },
    forgot: {
      lead: "Nous vous enverrons un lien pour choisir un nouveau mot de passe",
      submit: "Envoyer le lien",
      askUs: "Demandez-nous un lien pour choisir un nouveau mot de passe",
      notAnAddress: "Saisissez une adresse e-mail complète, comme anna@shop.example.",
      tooMany: (minutes) =>
        `Plusieurs e-mails sont partis. Consultez votre messagerie ou réessayez ${inMinutes(minutes)}.`,
    },
    sent: {
      title: "Consultez votre messagerie",
      lead: (from) =>
        html`Si ce compte existe, un lien de ${from} est en route. Il sert pendant 30 minutes.`,
      noMail: "Pas d’e-mail au bout de cinq minutes\u00a0? Regardez dans les indésirables.",
      again: "Renvoyer",
    },
  },
  consent: {
    title: (app) => `Connecter ${app}`,
    heading: (app, shop) => html`Connecter ${app} à ${shop}\u00a0?`,
    yourShop: "votre boutique",
    lead: (host) => html`Vous reviendrez sur ${host} dans tous les cas.`,
    shop: "Boutique",
    by: (publisher) => html`Par ${publisher}`,
    privacyPolicy: "Politique de confidentialité",
    wouldAllow: "L’application pourra",
    notIncluded: "Non inclus",
    lasts: "L’accès dure jusqu’à la déconnexion",
    ending: (link, duration) =>
      html`Déconnectez-la à tout moment dans ${link}. L’accès expire après ${duration} sans utilisation.`,
    willNever:
      "L’application ne voit jamais votre mot de passe ni les boutiques que vous n’avez pas approuvées.",
    findShop: "Chercher une boutique par nom ou domaine",
    find: "Rechercher",
    found: (found, all) => `${found === all ? "" : `${found} sur `}${all} boutiques`,
    showAll: "Tout afficher",
    renews: "Votre accord renouvelle l’accès avec les mêmes autorisations.",
    adds: "Nouvelle autorisation\u00a0:",
    drops: "Autorisation retirée\u00a0:",
    needs: (plan) => `Nécessite le ${plan}.`,
    paused: (product) => `Suspendue par ${product}.`,
    for: (shop) => html`Pour ${shop}`,
    approve: "Approuver",
    decline: "Refuser",
    chooseFirst: "Choisissez d’abord une boutique.",
    notOffered: "Cette boutique ne peut pas être connectée. Choisissez-en une autre.",
    changed: "Quelque chose a changé. Veuillez vérifier avant d’approuver.",
    noShops: "Aucune boutique dans votre compte",
    noShopsLead: "Demandez-nous d’ajouter votre boutique ou utilisez un autre compte.",
    otherPlan: (shop, has, needed) =>
      html`${shop} a le ${has}. Cette application nécessite le ${needed}.`,
    cannot: (app) => html`${app} ne peut pas être connectée`,
    backTo: (app) => html`Retour à ${app}`,
  },
  connectedApps: {
    title: "Applications connectées",
    heading: "Applications connectées à vos boutiques",
    lead: "Vous ou votre équipe avez approuvé chacune d’elles. La déconnexion est immédiate.",
    none: "Aucune application connectée",
    howToConnect: "Pour connecter une application, commencez dans celle-ci.",
    details: "Détails",
    permissions: "Autorisations",
    at: (app, shop) => html`${app} chez ${shop}`,
    since: "Connectée depuis",
    approvedBy: "Dernière approbation par",
    lastUsed: "Dernière utilisation",
    never: "Pas encore utilisée",
    expires: "Expire sans utilisation",
    status: {
      connected: "Connectée",
      approved: "Non terminée",
      expired: "Expirée",
      disabled: "Suspendue",
      revoked: "Déconnectée",
    },
    disconnect: "Déconnecter",
    search: "Chercher une boutique ou une application",
    earlier: "Précédent",
    later: "Suivant",
    pageOf: (page, pages) => `Page ${page} sur ${pages}`,
    deletion: (contact) => html`Pour faire supprimer vos données, écrivez à ${contact}.`,
    disconnected: (app, shop) => html`${app} n’a plus accès à ${shop}.`,
  },
  disconnect: {
    heading: (app, shop) => html`Déconnecter ${app} de ${shop}\u00a0?`,
    lead: "Elle perd l’accès immédiatement, et conserve ce qu’elle a lu.",
    removal: (app, shop) => html`Retirer ${app} de ${shop}\u00a0?`,
    removalLead: "Elle n’a plus accès depuis son expiration, et conserve ce qu’elle a lu.",
    again: "Vous pourrez la reconnecter.",
    remove: "Retirer",
    keep: "Annuler",
  },
  account: {
    useAnother: "Utiliser un autre compte",
    signOut: "Se déconnecter",
    signOutEverywhere: "Se déconnecter partout",
  },
  passkeys: {
    title: "Clés d’accès",
    lead: "Une clé d’accès vous protège si votre mot de passe est volé. Nous la demandons sur un nouvel appareil et avant qu’une application obtienne des données personnelles.",
    since: (date) => html`Ajoutée ${date}.`,
    used: (date) => html`Dernière utilisation ${date}.`,
    name: "Nom",
    newName: "Ma clé d’accès",
    remove: "Retirer la clé d’accès",
    removesLast: "C’est votre seule clé d’accès. Ensuite, vous vous connecterez avec le mot de passe seulement.",
    add: "Ajouter une clé d’accès",
    done: { added: "Clé d’accès ajoutée.", removed: "Clé d’accès retirée." },
    problem: {
      name: "Saisissez un nom de 100 caractères au plus.",
      not_made: "La clé d’accès n’a pas pu être vérifiée. Veuillez réessayer.",
    },
    proof: {
      title: "Confirmez votre identité",
      byPasskey: (email) => html`Utilisez la clé d’accès de ${email} pour continuer.`,
      byPassword: (email) => html`Saisissez le mot de passe de ${email} pour continuer.`,
      use: "Utiliser la clé d’accès",
      confirm: "Confirmer",
      failed: "La clé d’accès n’a pas été utilisée. Veuillez réessayer.",
      noPasskey:
        "Ce navigateur ne gère pas les clés d’accès, ou JavaScript est désactivé. Changez de navigateur.",
      lost: "Clé d’accès perdue\u00a0?",
      wrong: "Cette clé d’accès n’est pas valable ici. Veuillez réessayer.",
    },
  },
  failure: {
    invalid_link: {
      title: "Ce lien ne fonctionne pas",
      lead: (app) =>
        html`${app} a envoyé une demande non valide. Réessayez, ou contactez son développeur.`,
    },
    client_disabled: {
      title: "Cette application ne peut pas être connectée",
      lead: (app) =>
        html`${app} ne peut pas connecter de boutiques pour le moment. Contactez-nous.`,
    },
    already_connected: { title: "Déjà connectée", lead: "Vous pouvez revenir à l’application." },
    already_approved: {
      title: "Déjà approuvée",
      lead: "Revenez à l’application. Si elle n’est pas connectée, recommencez là-bas.",
    },
    ended: {
      title: "Cette demande est terminée",
      lead: "Elle a reçu une réponse, a expiré ou vient d’un autre navigateur. Recommencez dans l’application.",
    },
    no_cookies: {
      title: "Les cookies sont bloqués",
      lead: (_app, host) =>
        html`Autorisez les cookies pour ${host}, puis recommencez dans le même navigateur.`,
    },
    bad_request: {
      title: "Demande non acceptée",
      lead: "Rien n’a été modifié. Veuillez revenir en arrière et réessayer.",
    },
    not_found: { title: "Page introuvable", lead: "Vérifiez l’adresse." },
    too_many_requests: {
      title: "Trop de demandes",
      lead: "Votre réseau en a envoyé beaucoup. Veuillez attendre une minute.",
    },
    unavailable: {
      title: "Veuillez réessayer dans un instant",
      lead: "Nous ne pouvons pas répondre pour le moment. Veuillez attendre quelques secondes.",
    },
    unexpected: {
      title: "Un problème est survenu",
      lead: "L’erreur vient de nous. Veuillez réessayer.",
    },
  },
  failurePage: {
    unnamedApp: "L’application",
    forDevelopers: "Pour les développeurs",
    requestId: "ID de la demande",
  },
};
