// The names that the rest of the room is written with: elements, characters, skills, and one number for every card and
// every object on the table. A card that stays on the table (equipment, supports, many events) is the object itself,
// so both have one number. tables.h has what is known about each.
#pragma once

#include <cstdint>

namespace sevenfold::invokation {

// Dice and auras count 0 .. 6; a die may also be Omni, a damage Physical or Piercing.
enum Element : std::uint8_t { kCryo, kHydro, kPyro, kElectro, kAnemo, kGeo, kDendro, kOmni };
constexpr int kElements = 7; // without Omni
constexpr int kFaces = 8;
constexpr std::uint8_t kPhysical = 7, kPiercing = 8; // damage types, after the elements
constexpr std::uint8_t kNoElement = 15;

enum class Weapon : std::uint8_t { none, catalyst, bow, claymore, polearm, sword };
enum class Nation : std::uint8_t { mondstadt, liyue, sumeru };
enum SkillType : std::uint8_t { kNormal, kSkill, kBurst };

enum Who : std::uint8_t {
  kKaeya,
  kDiona,
  kBarbara,
  kXingqiu,
  kDiluc,
  kXiangling,
  kFischl,
  kKeqing,
  kSucrose,
  kNingguang,
  kNoelle,
  kCollei,
  kMona,
  kBennett,
  kJean,
  kCharacters
};

enum Id : std::uint8_t {
  kNothing,
  // Cards: talents, in the order of the characters.
  kColdBloodedStrike,
  kShakenNotPurred,
  kGloriousSeason,
  kScentRemained,
  kFlowingFlame,
  kCrossfire,
  kStellarPredator,
  kThunderingPenance,
  kChaoticEntropy,
  kStrategicReserve,
  kGotYourBack,
  kFloralSidewinder,
  kProphecy,
  kGrandExpectation,
  kLandsOfDandelion,
  // Cards: events.
  kBestestCompanion,
  kChangingShifts,
  kTossUp,
  kStrategize,
  kHaventLostYet,
  kLeaveItToMe,
  kCrane,
  kStarsigns,
  kCalxsArts,
  kQuickKnit,
  kSendOff,
  kGuardiansOath,
  kWovenIce,
  kWovenWaters,
  kWovenFlames,
  kWovenThunder,
  kWovenWinds,
  kWovenStone,
  kWovenWeeds,
  kShatteringIce,
  kSoothingWater,
  kFerventFlames,
  kHighVoltage,
  kImpetuousWinds,
  kEnduringRock,
  kSprawlingGreenery,
  kJueyunGuoba,
  kAdeptusTemptation,
  kLotusFlowerCrisp,
  kSmokedChicken,
  kSweetMadame,
  kHashBrown,
  kMushroomPizza,
  kMintyMeatRolls,
  kFriedEgg,
  // Cards: supports.
  kWharf,
  kLibrary,
  kDawnWinery,
  kWangshuInn,
  kCathedral,
  kVanarana,
  kPaimon,
  kKatheryne,
  kTubby,
  kTimmie,
  kLiben,
  kEllin,
  kTian,
  kLiuSu,
  kChang,
  // Cards: weapons.
  kMagicGuide,
  kRavenBow,
  kWhiteIron,
  kWhiteTassel,
  kTravelersSword,
  kSacrificialFragments,
  kSacrificialBow,
  kSacrificialGreatsword,
  kSacrificialSword,
  kSkywardAtlas,
  kSkywardHarp,
  kSkywardSpine,
  kWolfsGravestone,
  kLithicSpear,
  kAquilaFavonia,
  // Cards: artifacts.
  kBandana,
  kSilverCirclet,
  kHandkerchief,
  kEarrings,
  kInstructorsCap,
  kExilesCirclet,
  kBrokenRime,
  kTricorne,
  kWitchHat,
  kThunderCrown,
  kViridescent,
  kSolitudeBasalt,
  kLaurelCoronet,
  // A card that only a skill makes.
  kStiletto,
  kCards, // all below are objects that are no cards
  // Combat statuses.
  kIcicle = kCards,
  kCatclawShield,
  kRainSword,
  kRainbowBladework,
  kPyronado,
  kJadeScreen,
  kFullPlate,
  kIllusoryBubble,
  kInspirationField,
  kSprout,
  kCrystallize,
  kDendroCore,
  kCatalyzingField,
  // Statuses of a character.
  kPyroInfusion,
  kElectroInfusion,
  kSweepingTime,
  kFrozen,
  kSatiated,
  kLithicGuard,
  // Summons.
  kDrunkenMist,
  kMelodyLoop,
  kGuoba,
  kOz,
  kWindSpirit,
  kCuileinAnbar,
  kReflection,
  kDandelionField,
  kBurningFlame,
  kIds
};
static_assert(kIds < 200);

constexpr int kFirstCard = kColdBloodedStrike;

} // namespace sevenfold::invokation
